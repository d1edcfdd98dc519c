//! Slow start (slowStartBatch): the creates of a sync go out in batches of 1, 2, 4, ... so that a refusal by a quota costs
//! few calls and few events instead of 500. Alike in all versions. See docs/semantics.md section 5.
//!
//! The calls of a batch are parallel and all waited for. A batch with any error is the last one.

/// The creates of one sync.
#[derive(Debug, Clone)]
pub struct SlowStart {
    remaining: usize,
    next: usize,
    succeeded: usize,
}

impl SlowStart {
    /// For `count` creates.
    pub fn new(count: usize) -> Self {
        SlowStart { remaining: count, next: 1, succeeded: 0 }
    }

    /// Calls of the next batch, 0 after the last one.
    pub fn next_batch(&self) -> usize {
        self.next.min(self.remaining)
    }

    /// Records the batch's outcome and prepares the next one.
    pub fn finish_batch(&mut self, failed: usize) {
        let batch = self.next_batch();
        self.succeeded += batch - failed.min(batch);
        self.remaining = if failed > 0 { 0 } else { self.remaining - batch };
        self.next = batch * 2;
    }

    /// Creates that succeeded so far.
    pub fn succeeded(&self) -> usize {
        self.succeeded
    }
}

/// The batches of so many creates if none is refused.
pub fn batches(count: usize) -> Vec<usize> {
    let mut creates = SlowStart::new(count);
    let mut sizes = Vec::new();
    while creates.next_batch() > 0 {
        sizes.push(creates.next_batch());
        creates.finish_batch(0);
    }
    sizes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_double_from_one_and_end_with_the_rest() {
        assert_eq!(batches(0), [0usize; 0]);
        assert_eq!(batches(1), [1]);
        assert_eq!(batches(2), [1, 1]);
        assert_eq!(batches(7), [1, 2, 4]);
        assert_eq!(batches(500), [1, 2, 4, 8, 16, 32, 64, 128, 245]);
    }

    #[test]
    fn failure_stops_after_its_batch() {
        let mut creates = SlowStart::new(10);
        for failed in [0, 0, 4] {
            creates.finish_batch(failed);
        }
        assert_eq!((creates.next_batch(), creates.succeeded()), (0, 3));
    }
}
