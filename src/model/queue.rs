//! The work queue: one sync of a key at a time, repeated adds collapse, failures back off. Alike in all versions. See
//! docs/semantics.md section 7.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};

use crate::objects::Key;
use crate::objects::instant::later;

/// The first retry delay of a key; it doubles with each failure in a row.
pub(crate) const FIRST_RETRY: SignedDuration = SignedDuration::from_millis(5);
/// The longest retry delay of a key.
pub const LONGEST_RETRY: SignedDuration = SignedDuration::from_secs(1000);

/// The delay before the retry that follows this many earlier failures in a row.
pub fn retry_delay(earlier_failures: u32) -> SignedDuration {
    // 5 ms doubled 18 times is past the limit; the cap keeps the shift in range.
    let doubled = FIRST_RETRY.as_millis() << earlier_failures.min(18);
    SignedDuration::from_millis_i128(doubled).min(LONGEST_RETRY)
}

/// The bucket that all keys share: 10 retries a second after a burst of 100. A retry waits for the longer of this and its
/// own backoff, so that many failing ReplicaSets slow each other down.
#[derive(Debug, Clone, Copy)]
struct RetryLimit {
    /// When the next token is due if all are spent; tokens saved up lie before `now`.
    next: Option<Timestamp>,
}

impl RetryLimit {
    const INTERVAL: SignedDuration = SignedDuration::from_millis(100);
    const SAVED: i32 = 99;

    fn delay(&mut self, now: Timestamp) -> SignedDuration {
        let oldest = later(now, -(Self::INTERVAL * Self::SAVED));
        let due = self.next.map_or(oldest, |next| next.max(oldest));
        self.next = Some(later(due, Self::INTERVAL));
        due.duration_since(now).max(SignedDuration::ZERO)
    }
}

/// The state of one key.
#[derive(Debug, Clone, Copy, Default)]
struct QueueItem {
    failures: u32,
    /// When the key is due; None if it is not in the queue.
    due: Option<Timestamp>,
    running: bool,
}

/// The queue of one controller.
#[derive(Debug, Clone)]
pub struct Queue {
    items: BTreeMap<Key, QueueItem>,
    limit: RetryLimit,
}

impl Default for Queue {
    fn default() -> Self {
        Queue { items: BTreeMap::new(), limit: RetryLimit { next: None } }
    }
}

impl Queue {
    /// A queue in which this key has failed so often in a row.
    pub(crate) fn after_failures(key: &Key, failures: u32) -> Queue {
        let item = QueueItem { failures, ..QueueItem::default() };
        Queue { items: BTreeMap::from([(key.clone(), item)]), ..Queue::default() }
    }

    /// Adds a key after a delay, zero for at once. The earliest of several times stands; a key
    /// whose sync is running is taken again after it.
    pub fn add(&mut self, key: &Key, after: SignedDuration, now: Timestamp) {
        let item = self.items.entry(key.clone()).or_default();
        let due = later(now, after.max(SignedDuration::ZERO));
        item.due = Some(item.due.map_or(due, |earlier| earlier.min(due)));
    }

    /// Adds a key after a failed sync and returns the delay.
    pub fn add_rate_limited(&mut self, key: &Key, now: Timestamp) -> SignedDuration {
        let item = self.items.entry(key.clone()).or_default();
        let own = retry_delay(item.failures);
        item.failures = item.failures.saturating_add(1);
        let after = own.max(self.limit.delay(now));
        self.add(key, after, now);
        after
    }

    /// Ends the backoff of a key after a sync without error.
    pub fn forget(&mut self, key: &Key) {
        if let Some(item) = self.items.get_mut(key) {
            item.failures = 0;
        }
    }

    /// Failures in a row.
    pub fn failures(&self, key: &Key) -> u32 {
        self.items.get(key).map_or(0, |item| item.failures)
    }

    /// When the key is due; None if nothing would start its sync.
    pub fn due(&self, key: &Key) -> Option<Timestamp> {
        self.items.get(key).and_then(|item| item.due)
    }

    /// Takes the key out to sync it. False if it is not due yet or its sync is still running.
    pub fn take(&mut self, key: &Key, now: Timestamp) -> bool {
        let Some(item) = self.items.get_mut(key) else { return false };
        let ready = !item.running && item.due.is_some_and(|due| due <= now);
        if ready {
            item.running = true;
            item.due = None;
        }
        ready
    }

    /// Ends the sync of a key. What was added meanwhile is taken only now.
    pub fn done(&mut self, key: &Key) {
        if let Some(item) = self.items.get_mut(key) {
            item.running = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::UNIX_EPOCH;

    fn key() -> Key {
        Key::new("shop", "web")
    }

    fn seconds(s: f64) -> SignedDuration {
        SignedDuration::from_secs_f64(s)
    }

    #[test]
    fn retries_double_from_5_ms_to_1000_s_and_a_success_resets_them() {
        let mut queue = Queue::default();
        let delays: Vec<_> = (0..20).map(|_| queue.add_rate_limited(&key(), NOW)).collect();
        assert_eq!(delays[0], seconds(0.005));
        assert_eq!(delays[1], seconds(0.01));
        assert_eq!(delays[17], seconds(655.36));
        assert_eq!(delays[18], LONGEST_RETRY);
        assert_eq!(delays[19], LONGEST_RETRY);
        queue.forget(&key());
        assert_eq!(queue.add_rate_limited(&key(), NOW), seconds(0.005));
    }

    #[test]
    fn shared_bucket_holds_all_keys_back_after_100_retries() {
        let mut queue = Queue::default();
        let delays: Vec<_> =
            (0..102).map(|i| queue.add_rate_limited(&Key::new("shop", format!("rs-{i}")), NOW)).collect();
        assert!(delays[..100].iter().all(|d| *d == FIRST_RETRY));
        assert_eq!(delays[100], seconds(0.1));
        assert_eq!(delays[101], seconds(0.2));
    }

    #[test]
    fn delayed_add_keeps_the_earliest_time_and_a_running_key_waits() {
        let mut queue = Queue::default();
        queue.add(&key(), seconds(60.0), NOW);
        queue.add(&key(), seconds(10.0), NOW);
        assert_eq!(queue.due(&key()), Some(NOW + seconds(10.0)));
        assert!(!queue.take(&key(), NOW));
        queue.add(&key(), SignedDuration::ZERO, NOW);
        assert!(queue.take(&key(), NOW));
        queue.add(&key(), SignedDuration::ZERO, NOW);
        assert!(!queue.take(&key(), NOW), "one sync of a key at a time");
        queue.done(&key());
        assert!(queue.take(&key(), NOW));
        queue.done(&key());
        assert_eq!(queue.due(&key()), None, "nothing triggers a sync");
    }
}
