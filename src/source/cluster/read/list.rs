//! Lists: consistent, page by page where asked for, decoded while the bytes arrive.

use std::cell::Cell;

use futures::StreamExt;
use futures::channel::oneshot;
use futures::future::try_join;
use jiff::Timestamp;

use crate::objects::Object;
use crate::objects::wire::{self, ListDecoder, Read as Found};
use crate::source::cluster::error::{ClusterError, ErrorKind};
use crate::source::cluster::read::clock::{Clock, Skew};
use crate::source::cluster::read::scope::Read;
use crate::source::cluster::request::client::Get;
use crate::source::cluster::request::client::{Accept, Response};
use crate::source::cluster::text::shown;

/// The largest single object that is believed.
const LARGEST: usize = 64 << 20;

/// Asks on behalf of all reads.
pub struct Reader<'c, G> {
    client: &'c G,
    /// The observer's clock.
    pub clock: Clock,
    chunk_size: u32,
    skew: Cell<Option<Skew>>,
}

/// What a list gave.
#[derive(Debug, Default)]
pub struct Listed {
    /// When its last byte was received.
    pub at: Option<Timestamp>,
    /// The version of the list.
    pub version: String,
    /// The objects.
    pub items: Vec<Object>,
    /// The objects that cannot be used.
    pub problems: Vec<String>,
    /// Why it was asked for twice.
    pub note: Option<String>,
}

/// Why an answer cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// It is something else than was asked for.
    #[error("the server answered with a {kind}")]
    OtherKind { kind: String },
    /// It is no object that can be used.
    #[error("{why}")]
    Invalid { why: String },
    /// It is no list.
    #[error("{place}: {why}")]
    NotAList { place: String, why: String },
    /// It ended too early.
    #[error("{place}: {why}")]
    Incomplete { place: String, why: String },
    /// It is larger than any object.
    #[error("the server's answer has no end")]
    Endless,
}

impl ReadError {
    /// What to do about it.
    pub fn kind(&self) -> ErrorKind {
        match self {
            ReadError::Incomplete { .. } => ErrorKind::Connection,
            _ => ErrorKind::NotKubernetes,
        }
    }
}

/// Why a list has to be given up.
enum Broken {
    /// For good.
    Failed(ClusterError),
    /// A second attempt is worth it.
    Restart(ClusterError),
}

impl<'c, G: Get> Reader<'c, G> {
    /// Reads lists in pages of so many objects; zero for all at once.
    pub fn new(client: &'c G, clock: Clock, chunk_size: u32) -> Reader<'c, G> {
        Reader { client, clock, chunk_size, skew: Cell::new(None) }
    }

    /// How far the server's clock is ahead, as far as its answers tell.
    pub fn skew(&self) -> Option<Skew> {
        self.skew.get()
    }

    /// GETs, and compares the clocks.
    pub async fn get(&self, path: &str, accept: Accept) -> Result<Response, ClusterError> {
        let asked = self.clock.now();
        let response = self.client.get(path, accept).await?;
        if let Some(date) = response.date {
            let skew = Skew::of(date, asked, self.clock.now());
            self.skew.set(Some(self.skew.get().map_or(skew, |known| known.and(skew))));
        }
        Ok(response)
    }

    /// The state of a resource at one version. A list that expires or breaks half way is asked
    /// for once more, in one piece: that cannot expire.
    pub async fn list(&self, read: &Read) -> Result<Listed, ClusterError> {
        let why = match self.pages(read, self.chunk_size, Accept::Protobuf).await {
            Ok(listed) => return Ok(listed),
            Err(Broken::Failed(error)) => return Err(error),
            Err(Broken::Restart(error)) => error.to_string(),
        };
        match self.pages(read, 0, Accept::Protobuf).await {
            Ok(listed) => {
                let note = format!("the list of {} was started again: {why}", read.place());
                Ok(Listed { note: Some(note), ..listed })
            }
            Err(Broken::Failed(error) | Broken::Restart(error)) => Err(error),
        }
    }

    /// The metadata alone of all objects of a resource; everything else of them is as if unset.
    pub async fn metadata(&self, read: &Read) -> Result<Listed, ClusterError> {
        match self.pages(read, 0, Accept::Metadata).await {
            Ok(listed) => Ok(listed),
            Err(Broken::Failed(error) | Broken::Restart(error)) => Err(error),
        }
    }

    async fn pages(&self, read: &Read, limit: u32, accept: Accept) -> Result<Listed, Broken> {
        let mut listed = Listed::default();
        let first = self.get(&read.list_path(limit, ""), accept).await;
        let mut next = Some(first.map_err(Broken::Failed)?);
        while let Some(response) = next {
            next = self.page(read, limit, accept, response, &mut listed).await?;
        }
        listed.at = Some(self.clock.now());
        Ok(listed)
    }

    /// Reads a page, and asks for the next one as soon as it is known how.
    async fn page(
        &self,
        read: &Read,
        limit: u32,
        accept: Accept,
        response: Response,
        listed: &mut Listed,
    ) -> Result<Option<Response>, Broken> {
        let (sender, token) = oneshot::channel::<String>();
        let following = async {
            let Ok(token) = token.await else { return Ok(None) };
            match self.get(&read.list_path(limit, &token), accept).await {
                Ok(response) => Ok(Some(response)),
                Err(error) if error.kind() == ErrorKind::Expired => Err(Broken::Restart(error)),
                Err(error) => Err(Broken::Failed(error)),
            }
        };
        let decoder = match accept {
            Accept::Metadata => ListDecoder::metadata(read.resource),
            _ => ListDecoder::new(read.resource, response.protobuf),
        };
        try_join(consume(read, decoder, response, listed, sender), following).await.map(|((), next)| next)
    }

    /// The one object of a read whose list is denied.
    pub async fn single(&self, read: &Read, name: &str) -> Result<Listed, ClusterError> {
        let mut response = self.get(&read.object_path(name), Accept::Json).await?;
        let body = whole(&mut response).await?;
        match wire::from_slice(&body, Some(read.resource)) {
            Ok(Found::Object(object)) => Ok(Listed {
                at: Some(self.clock.now()),
                version: object.meta().resource_version.clone(),
                items: vec![object],
                ..Listed::default()
            }),
            Ok(Found::Ignored(kind)) => Err(ReadError::OtherKind { kind: shown(&kind) }.into()),
            Err(invalid) => Err(ReadError::Invalid { why: shown(&invalid.to_string()) }.into()),
        }
    }

    /// The version of the server, if it says so.
    pub async fn server_version(&self) -> Option<String> {
        #[derive(serde::Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Version {
            git_version: String,
        }
        let mut response = self.get("/version", Accept::Json).await.ok()?;
        let body = whole(&mut response).await.ok()?;
        serde_json::from_slice::<Version>(&body).ok().map(|version| version.git_version)
    }
}

/// A body of bounded size.
async fn whole(response: &mut Response) -> Result<Vec<u8>, ClusterError> {
    let mut body = Vec::new();
    while let Some(chunk) = response.body.next().await {
        body.extend_from_slice(&chunk?);
        if body.len() > LARGEST {
            return Err(ReadError::Endless.into());
        }
    }
    Ok(body)
}

/// Decodes a page; sends the token of the next one once it is known.
async fn consume(
    read: &Read,
    mut decoder: ListDecoder,
    mut response: Response,
    listed: &mut Listed,
    token: oneshot::Sender<String>,
) -> Result<(), Broken> {
    let mut token = Some(token);
    while let Some(chunk) = response.body.next().await {
        let chunk = chunk.map_err(|error| match error.kind() {
            ErrorKind::Timeout => Broken::Failed(error),
            _ => Broken::Restart(error),
        })?;
        let pushed = decoder.push(&chunk, &mut |item| match item {
            Ok(object) => listed.items.push(object),
            Err(invalid) => listed.problems.push(invalid.to_string()),
        });
        pushed.map_err(|why| {
            let (place, why) = (read.place(), shown(&why.to_string()));
            Broken::Failed(ReadError::NotAList { place, why }.into())
        })?;
        if let Some(meta) = decoder.meta()
            && !meta.continue_token.is_empty()
            && let Some(token) = token.take()
        {
            // Who would listen is polled beside this.
            let _ = token.send(meta.continue_token.clone());
        }
    }
    let meta = decoder.finish().map_err(|why| {
        let (place, why) = (read.place(), shown(&why.to_string()));
        Broken::Restart(ReadError::Incomplete { place, why }.into())
    })?;
    if !meta.continue_token.is_empty()
        && let Some(token) = token.take()
    {
        let _ = token.send(meta.continue_token.clone());
    }
    if listed.version.is_empty() {
        listed.version = meta.resource_version;
    }
    Ok(())
}
