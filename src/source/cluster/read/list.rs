//! Lists: consistent, page by page where asked for, decoded while the bytes arrive.

use std::cell::Cell;

use futures::StreamExt;
use futures::channel::oneshot;
use futures::future::try_join;
use jiff::Timestamp;

use crate::objects::Object;
use crate::objects::wire::{self, ListDecoder, Read as Found};
use crate::source::cluster::read::clock::{Clock, Skew};
use crate::source::cluster::read::scope::Read;
use crate::source::cluster::request::client::Get;
use crate::source::cluster::request::client::{Accept, Response};
use crate::source::cluster::text::shown;
use crate::source::cluster::trouble::{Kind, Trouble};

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

/// Why a list has to be given up.
enum Broken {
    /// For good.
    Failed(Trouble),
    /// A second attempt is worth it.
    Restart(Trouble),
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
    pub async fn get(&self, path: &str, accept: Accept) -> Result<Response, Trouble> {
        let asked = self.clock.now();
        let response = self.client.get(path, accept).await?;
        if let Some(date) = response.date {
            let said = Skew::of(date, asked, self.clock.now());
            self.skew.set(Some(self.skew.get().map_or(said, |known| known.and(said))));
        }
        Ok(response)
    }

    /// The state of a resource at one version. A list that expires or breaks half way is asked
    /// for once more, in one piece: that cannot expire.
    pub async fn list(&self, read: &Read) -> Result<Listed, Trouble> {
        let why = match self.pages(read, self.chunk_size, Accept::Protobuf).await {
            Ok(listed) => return Ok(listed),
            Err(Broken::Failed(trouble)) => return Err(trouble),
            Err(Broken::Restart(trouble)) => trouble.message,
        };
        match self.pages(read, 0, Accept::Protobuf).await {
            Ok(listed) => {
                let note = format!("the list of {} was begun anew: {why}", read.place());
                Ok(Listed { note: Some(note), ..listed })
            }
            Err(Broken::Failed(trouble) | Broken::Restart(trouble)) => Err(trouble),
        }
    }

    /// The metadata alone of all objects of a resource; everything else of them is as if unset.
    pub async fn metadata(&self, read: &Read) -> Result<Listed, Trouble> {
        match self.pages(read, 0, Accept::Metadata).await {
            Ok(listed) => Ok(listed),
            Err(Broken::Failed(trouble) | Broken::Restart(trouble)) => Err(trouble),
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
        let (tell, told) = oneshot::channel::<String>();
        let following = async {
            let Ok(token) = told.await else { return Ok(None) };
            match self.get(&read.list_path(limit, &token), accept).await {
                Ok(response) => Ok(Some(response)),
                Err(trouble) if trouble.kind == Kind::Expired => Err(Broken::Restart(trouble)),
                Err(trouble) => Err(Broken::Failed(trouble)),
            }
        };
        let decoder = match accept {
            Accept::Metadata => ListDecoder::metadata(read.resource),
            _ => ListDecoder::new(read.resource, response.protobuf),
        };
        try_join(consume(read, decoder, response, listed, tell), following).await.map(|((), next)| next)
    }

    /// The one object of a read whose list is denied.
    pub async fn single(&self, read: &Read, name: &str) -> Result<Listed, Trouble> {
        let mut response = self.get(&read.object_path(name), Accept::Json).await?;
        let body = whole(&mut response).await?;
        match wire::from_slice(&body, Some(read.resource)) {
            Ok(Found::Object(object)) => Ok(Listed {
                at: Some(self.clock.now()),
                version: object.meta().resource_version.clone(),
                items: vec![object],
                ..Listed::default()
            }),
            Ok(Found::Ignored(kind)) => Err(unreadable(format!("the server answered with a {kind}"))),
            Err(invalid) => Err(unreadable(invalid.to_string())),
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
async fn whole(response: &mut Response) -> Result<Vec<u8>, Trouble> {
    let mut body = Vec::new();
    while let Some(chunk) = response.body.next().await {
        body.extend_from_slice(&chunk?);
        if body.len() > LARGEST {
            return Err(unreadable("the server's answer has no end".into()));
        }
    }
    Ok(body)
}

fn unreadable(what: String) -> Trouble {
    Trouble::new(Kind::NotKubernetes, format!("error: {}", shown(&what)))
}

/// Decodes a page; tells the token of the next one once it is known.
async fn consume(
    read: &Read,
    mut decoder: ListDecoder,
    mut response: Response,
    listed: &mut Listed,
    tell: oneshot::Sender<String>,
) -> Result<(), Broken> {
    let mut tell = Some(tell);
    while let Some(chunk) = response.body.next().await {
        let chunk = chunk.map_err(|trouble| match trouble.kind {
            Kind::Timeout => Broken::Failed(trouble),
            _ => Broken::Restart(trouble),
        })?;
        let pushed = decoder.push(&chunk, &mut |item| match item {
            Ok(object) => listed.items.push(object),
            Err(invalid) => listed.problems.push(invalid.to_string()),
        });
        pushed.map_err(|text| Broken::Failed(unreadable(format!("{}: {text}", read.place()))))?;
        if let Some(meta) = decoder.meta()
            && let Some(tell) = tell.take()
            && !meta.continue_token.is_empty()
        {
            // Who would listen is polled beside this.
            let _ = tell.send(meta.continue_token.clone());
        }
    }
    let meta = decoder.finish().map_err(|text| {
        let message = format!("error: {}: {}", read.place(), shown(&text.to_string()));
        Broken::Restart(Trouble::new(Kind::Connection, message))
    })?;
    if let Some(tell) = tell.take().filter(|_| !meta.continue_token.is_empty()) {
        let _ = tell.send(meta.continue_token.clone());
    }
    if listed.version.is_empty() {
        listed.version = meta.resource_version;
    }
    Ok(())
}
