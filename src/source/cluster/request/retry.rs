//! When to ask again. The API server is asked at most three more times within a second and a half; what asks
//! to be left alone for a while (429 with Retry-After) is obeyed for longer.

use std::time::Duration;

use http::{HeaderMap, StatusCode, header};

const FIRST: Duration = Duration::from_millis(200);
const RETRIES: u32 = 3;
/// How long all waits together may last.
const BUDGET: Duration = Duration::from_millis(1500);
/// The same for a server that says how long, where `--request-timeout` sets no limit.
const PATIENCE: Duration = Duration::from_secs(30);
/// As client-go has it.
const OBEDIENT_RETRIES: u32 = 10;

/// The waits between the attempts of one request.
#[derive(Debug)]
pub(crate) struct Pace {
    attempts: u32,
    waited: Duration,
    patience: Duration,
}

impl Pace {
    /// For a request with this timeout.
    pub fn new(timeout: Option<Duration>) -> Pace {
        Pace { attempts: 0, waited: Duration::ZERO, patience: timeout.unwrap_or(PATIENCE) }
    }

    /// How long to wait before the next attempt; None to give up.
    pub fn next(&mut self, status: StatusCode, after: Option<Duration>) -> Option<Duration> {
        let busy = status == StatusCode::TOO_MANY_REQUESTS;
        if !busy && !matches!(status, StatusCode::SERVICE_UNAVAILABLE | StatusCode::GATEWAY_TIMEOUT) {
            return None;
        }
        let (retries, budget) =
            if busy && after.is_some() { (OBEDIENT_RETRIES, self.patience) } else { (RETRIES, BUDGET) };
        if self.attempts >= retries {
            return None;
        }
        let backoff = FIRST * 2_u32.pow(self.attempts.min(RETRIES));
        let wait = backoff.max(after.unwrap_or_default());
        if self.waited + wait > budget {
            return None;
        }
        self.attempts += 1;
        self.waited += wait;
        Some(wait)
    }
}

/// The `Retry-After` of an answer, in seconds; a date is not understood, as in client-go.
pub(crate) fn after(headers: &HeaderMap) -> Option<Duration> {
    let seconds = headers.get(header::RETRY_AFTER)?.to_str().ok()?.trim().parse().ok()?;
    Some(Duration::from_secs(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waits(timeout: Option<u64>, status: u16, after: Option<u64>) -> Vec<u128> {
        let mut pace = Pace::new(timeout.map(Duration::from_secs));
        let status = StatusCode::from_u16(status).unwrap();
        std::iter::from_fn(|| pace.next(status, after.map(Duration::from_secs)))
            .map(|wait| wait.as_millis())
            .collect()
    }

    #[test]
    fn a_server_that_cannot_now_is_asked_three_times_more() {
        for status in [429, 503, 504] {
            assert_eq!(waits(None, status, None), [200, 400, 800], "{status}");
        }
        for status in [400, 401, 403, 404, 500, 502] {
            assert_eq!(waits(None, status, Some(0)), [0; 0], "{status}");
        }
    }

    #[test]
    fn a_time_that_is_asked_for_is_obeyed_if_it_fits() {
        assert_eq!(waits(None, 503, Some(1)), [1000]);
        assert_eq!(waits(None, 503, Some(2)), [0; 0]);
        assert_eq!(waits(Some(12), 429, Some(5)), [5000, 5000]);
        assert_eq!(waits(Some(3), 429, Some(5)), [0; 0]);
        assert_eq!(waits(None, 429, Some(10)), [10_000; 3]);
        assert_eq!(waits(None, 429, Some(1)).len(), 10);
        assert_eq!(waits(None, 429, Some(u64::MAX / 2)), [0; 0]);
    }

    #[test]
    fn retry_after_is_seconds() {
        let headers = |value| HeaderMap::from_iter([(header::RETRY_AFTER, value)]);
        assert_eq!(after(&headers("7".parse().unwrap())), Some(Duration::from_secs(7)));
        assert_eq!(after(&headers("Wed, 21 Oct 2026 07:28:00 GMT".parse().unwrap())), None);
        assert_eq!(after(&HeaderMap::new()), None);
    }
}
