//! The client-side limit of the controller's API calls, `--kube-api-qps` and `--kube-api-burst`: a token bucket, alike in
//! all versions. See docs/semantics.md section 7.

use jiff::{SignedDuration, Timestamp};

/// The limits, shared by all calls of the controller.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClientRate {
    /// Calls a second, above 0.
    pub(crate) qps: f64,
    /// Calls at once before that limit holds, at least 1.
    pub(crate) burst: u32,
}

impl Default for ClientRate {
    fn default() -> Self {
        ClientRate { qps: 20.0, burst: 30 }
    }
}

/// The bucket as if this ReplicaSet used it alone. Other ReplicaSets and the events take tokens too, so that the times it
/// gives are the least ones.
#[derive(Debug, Clone, Copy)]
pub(super) struct ClientLimit {
    rate: ClientRate,
    tokens: f64,
    at: Timestamp,
}

impl ClientLimit {
    pub(super) fn full(rate: ClientRate, at: Timestamp) -> ClientLimit {
        ClientLimit { rate, tokens: f64::from(rate.burst), at }
    }

    /// The least time that so many calls take from `now` on.
    pub(super) fn take(&mut self, calls: u64, now: Timestamp) -> SignedDuration {
        let gained = now.duration_since(self.at).as_secs_f64() * self.rate.qps;
        let tokens = (self.tokens + gained).min(f64::from(self.rate.burst)) - calls as f64;
        let wait = (-tokens).max(0.0) / self.rate.qps;
        let wait = SignedDuration::try_from_secs_f64(wait).unwrap_or(SignedDuration::MAX);
        self.tokens = tokens.max(0.0);
        self.at = now.saturating_add(wait).unwrap_or(now);
        wait
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn five_hundred_creates_take_23_5_s_from_a_full_bucket_and_25_from_an_empty_one() {
        let now = Timestamp::UNIX_EPOCH;
        let mut limit = ClientLimit::full(ClientRate::default(), now);
        let first = limit.take(500, now);
        assert_eq!(first, SignedDuration::from_millis(23_500));
        assert_eq!(limit.take(500, now + first), SignedDuration::from_secs(25));
        let rested = now + first + SignedDuration::from_mins(5);
        assert_eq!(limit.take(30, rested), SignedDuration::ZERO);
    }
}
