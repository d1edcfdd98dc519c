//! What this user may read, found out by reading: a review of one's own rights would be a create.

use futures::future::{try_join_all, try_join3};

use crate::source::cluster::error::{ClusterError, ErrorKind};
use crate::source::cluster::read::scope::Read;
use crate::source::cluster::request::client::{Accept, Client};

/// The object that is asked for where none is named. It need not exist: who may not get it hears that first.
const PROBE: &str = "rsexp-auth-probe";

/// How the server answered a request.
#[derive(Debug)]
pub enum Allowed {
    /// It was answered, or what it named does not exist.
    Yes,
    /// 403.
    No,
    /// Something else went wrong.
    Unknown(ClusterError),
}

/// What may be read of a resource.
#[derive(Debug)]
pub struct Access {
    /// The resource and where it is read.
    pub read: Read,
    /// Whether one object may be read.
    pub get: Allowed,
    /// Whether all may be listed.
    pub list: Allowed,
    /// Whether they may be watched.
    pub watch: Allowed,
}

impl Access {
    /// What is lost without what is denied; None if nothing is.
    pub fn lost(&self) -> Option<&'static str> {
        let alone = self.read.name.is_some() && matches!(self.get, Allowed::Yes);
        match (&self.list, &self.watch) {
            (Allowed::Yes, Allowed::Yes) => None,
            (Allowed::Yes, _) => Some("its changes go unseen"),
            _ if alone => Some("it is read once, its changes go unseen"),
            _ => Some(self.read.lost()),
        }
    }

    /// Whether there is no answer without it, and it cannot be had.
    pub fn is_fatal(&self) -> bool {
        self.read.required && !matches!(self.list, Allowed::Yes)
    }
}

/// Tries each verb on each resource. ClusterError that is about the connection ends it.
pub async fn probe(client: &Client, reads: &[Read]) -> Result<Vec<Access>, ClusterError> {
    try_join_all(reads.iter().map(|read| probe_one(client, read))).await
}

async fn probe_one(client: &Client, read: &Read) -> Result<Access, ClusterError> {
    let name = read.name.as_deref().unwrap_or(PROBE);
    let (one, all, changes) = (read.object_path(name), read.list_path(1, ""), read.brief_watch_path());
    let (get, list, watch) = try_join3(ask(client, &one), ask(client, &all), ask(client, &changes)).await?;
    let get = match get {
        Allowed::Unknown(error) if error.kind() == ErrorKind::NotFound => Allowed::Yes,
        other => other,
    };
    Ok(Access { read: read.clone(), get, list, watch })
}

/// The head of the answer decides; its body is dropped at once.
async fn ask(client: &Client, path: &str) -> Result<Allowed, ClusterError> {
    let error = match client.get(path, Accept::Protobuf).await {
        Ok(_) => return Ok(Allowed::Yes),
        Err(error) => error,
    };
    match error.kind() {
        ErrorKind::Forbidden => Ok(Allowed::No),
        ErrorKind::NotFound | ErrorKind::Expired | ErrorKind::TooManyRequests(_) | ErrorKind::Other => {
            Ok(Allowed::Unknown(error))
        }
        ErrorKind::Unauthorized
        | ErrorKind::Timeout
        | ErrorKind::Connection
        | ErrorKind::NotKubernetes
        | ErrorKind::Config => Err(error),
    }
}
