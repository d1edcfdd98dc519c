//! Ages of pods, as rules 6 and 8 compare them: to the nanosecond up to 1.21, from 1.22 on by the logarithm of the age,
//! so that pods of about the same age are spread by UID instead of always losing the youngest.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};

use super::Interval;
use crate::model::profile::Profile;
use crate::objects::Pod;
use crate::objects::instant::later;

/// A time that rule 6 or 8 compares.
#[derive(Debug, Clone)]
pub(super) struct Age {
    pub(super) since: Option<Timestamp>,
    /// The age bucket at each instant; empty in versions without age buckets.
    pub(super) buckets: Vec<i32>,
}

impl Age {
    pub(super) fn new(since: Option<Timestamp>, instants: &[Timestamp], profile: &Profile) -> Age {
        let buckets = match since {
            Some(since) if profile.age_buckets => instants.iter().map(|now| bucket(since, *now)).collect(),
            _ => Vec::new(),
        };
        Age { since, buckets }
    }

    /// The later time first, a missing time before any. Equal if the times share a bucket.
    pub(super) fn younger_first(&self, other: &Age, instant: usize) -> Ordering {
        let (Some(since), Some(other_since)) = (self.since, other.since) else {
            return self.since.is_some().cmp(&other.since.is_some());
        };
        match (self.buckets.get(instant), other.buckets.get(instant)) {
            (Some(bucket), Some(other)) => bucket.cmp(other),
            _ => other_since.cmp(&since),
        }
    }
}

/// floor(log2(age in nanoseconds)), -1 for an age of zero or less.
///
/// In floating point, as Go's math.Log2 computes it (Frexp, then the logarithm of the fraction): an age just below a
/// power of two rounds up to it, and a bucket computed with integers would differ from the controller's.
pub(super) fn bucket(since: Timestamp, now: Timestamp) -> i32 {
    let age = now.duration_since(since).as_nanos();
    if age <= 0 {
        return -1;
    }
    let age = age as f64;
    let exponent = ((age.to_bits() >> 52) & 0x7ff) as i32 - 1022;
    let fraction = age / 2f64.powi(exponent);
    if fraction == 0.5 {
        return exponent - 1;
    }
    (fraction.ln() * (1.0 / std::f64::consts::LN_2) + f64::from(exponent)) as i32
}

/// The instants at which the order can differ: the earliest, the latest, and each one between at which the age of a pod
/// crosses into another bucket. Between two of them every comparison has the same outcome.
pub(super) fn instants(pods: &[Arc<Pod>], during: Interval, profile: &Profile) -> Vec<Timestamp> {
    let Interval { earliest, latest } = during;
    let mut instants = BTreeSet::from([earliest]);
    if latest > earliest && profile.age_buckets {
        instants.insert(latest);
        let times: BTreeSet<Timestamp> =
            pods.iter().flat_map(|pod| [pod.ready_since(), pod.meta.created]).flatten().collect();
        for since in times {
            let reached = bucket(since, earliest).max(0) + 1;
            let crossings = (reached..63).map(|k| later(since, SignedDuration::from_nanos(1 << k)));
            instants.extend(crossings.skip_while(|t| *t <= earliest).take_while(|t| *t < latest));
        }
    }
    instants.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn age_bucket_is_the_floor_of_the_logarithm_in_nanoseconds() {
        let now = Timestamp::from_second(1_700_000_000).unwrap();
        assert_eq!(bucket(now, now), -1);
        for (nanos, expected) in [(1, 0), (2, 1), (3, 1), (4, 2), (1 << 40, 40), ((1 << 40) - 1, 39)] {
            assert_eq!(bucket(now - SignedDuration::from_nanos(nanos), now), expected, "{nanos}");
        }
    }
}
