//! Bodies of answers, piece by piece, with a time limit.

use std::time::Duration;

use bytes::{Bytes, BytesMut};
use futures::stream::{self, BoxStream, StreamExt};
use http_body_util::BodyExt;
use tokio::time::{Instant, timeout_at};

use crate::source::cluster::error::ClusterError;
use crate::source::cluster::request::transport::TransportError;

/// When a request must be over.
#[derive(Debug, Clone, Copy)]
pub struct Deadline(Option<Instant>);

impl Deadline {
    /// This long from now.
    pub fn after(timeout: Option<Duration>) -> Deadline {
        Deadline(timeout.and_then(|timeout| Instant::now().checked_add(timeout)))
    }

    /// Never.
    pub fn never() -> Deadline {
        Deadline(None)
    }

    /// Whether something that takes so long would be over in time.
    pub fn allows(self, wait: Duration) -> bool {
        self.0.is_none_or(|end| Instant::now() + wait < end)
    }

    /// Waits for something, but not longer; None if it took longer.
    pub async fn limit<T>(self, work: impl Future<Output = T>) -> Option<T> {
        match self.0 {
            None => Some(work.await),
            Some(end) => timeout_at(end, work).await.ok(),
        }
    }
}

/// A body as a stream that ends with an error when it breaks or takes too long.
pub fn stream(
    body: kube::client::Body,
    deadline: Deadline,
) -> BoxStream<'static, Result<Bytes, ClusterError>> {
    let pieces = body.into_data_stream();
    stream::unfold(Some(pieces), move |pieces| async move {
        let mut pieces = pieces?;
        match deadline.limit(pieces.next()).await {
            None => Some((Err(TransportError::NoEndInTime.into()), None)),
            Some(None) => None,
            Some(Some(Ok(piece))) => Some((Ok(piece), Some(pieces))),
            Some(Some(Err(error))) => Some((Err(TransportError::broken(error).into()), None)),
        }
    })
    .boxed()
}

/// The beginning of a body, as much as an error needs. What breaks off is cut there.
pub async fn beginning(body: kube::client::Body, deadline: Deadline) -> Bytes {
    const ENOUGH: usize = 1 << 20;
    let mut stream = stream(body, deadline);
    let mut held = BytesMut::new();
    while let Some(Ok(piece)) = stream.next().await {
        held.extend_from_slice(&piece);
        if held.len() > ENOUGH {
            break;
        }
    }
    held.freeze()
}
