//! Numbers that follow from a seed.

use jiff::SignedDuration;

/// A splitmix64 generator.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from 0 on, below `n`.
    pub fn below(&mut self, n: u64) -> u64 {
        self.next() % n.max(1)
    }

    pub fn between(&mut self, from: i64, to: i64) -> i64 {
        from + self.below((to - from + 1).max(1) as u64) as i64
    }

    pub fn percent(&mut self, chance: u64) -> bool {
        self.below(100) < chance
    }

    /// So many microseconds.
    pub fn micros(&mut self, from: i64, to: i64) -> SignedDuration {
        SignedDuration::from_micros(self.between(from, to))
    }

    /// So many milliseconds, with a fraction.
    pub fn millis(&mut self, from: i64, to: i64) -> SignedDuration {
        self.micros(from * 1000, to * 1000)
    }

    pub fn choose<T: Clone>(&mut self, values: &[T]) -> T {
        values[self.below(values.len() as u64) as usize].clone()
    }

    /// So many of the values, in any order.
    pub fn some<T>(&mut self, mut values: Vec<T>, count: usize) -> Vec<T> {
        let mut chosen = Vec::new();
        while chosen.len() < count && !values.is_empty() {
            chosen.push(values.swap_remove(self.below(values.len() as u64) as usize));
        }
        chosen
    }
}
