//! What reading needs of a connection, so that tests can stand in for one.

use std::future::Future;

use super::client::{Accept, Client, Response};
use super::trouble::Trouble;

/// Answers GETs.
pub trait Get {
    /// GETs a path with its query, as [`Client::get`] does.
    fn get(&self, path: &str, accept: Accept) -> impl Future<Output = Result<Response, Trouble>>;
}

impl Get for Client {
    async fn get(&self, path: &str, accept: Accept) -> Result<Response, Trouble> {
        Client::get(self, path, accept).await
    }
}
