//! The arithmetic of surge and unavailability (section 2). All of it is int32, as in the API.

/// An absolute number or a percentage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IntOrPercent {
    /// A number of pods.
    Int(i32),
    /// Per cent of the wanted pods.
    Percent(i32),
}

impl IntOrPercent {
    /// Reads `25%`; None for anything else.
    pub fn parse_percent(text: &str) -> Option<IntOrPercent> {
        text.strip_suffix('%')?.parse().ok().map(IntOrPercent::Percent)
    }

    fn of(self, replicas: i32, round_up: bool) -> i32 {
        match self {
            IntOrPercent::Int(number) => number,
            IntOrPercent::Percent(percent) => {
                let product = i64::from(percent) * i64::from(replicas);
                let whole = product.div_euclid(100);
                let rest = i64::from(round_up && product.rem_euclid(100) > 0);
                i32::try_from(whole + rest).unwrap_or(i32::MAX)
            }
        }
    }
}

/// How a Deployment replaces pods.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strategy {
    /// All old pods go before new ones come.
    Recreate,
    /// Old and new pods overlap.
    RollingUpdate {
        /// Pods above the wanted number.
        max_surge: IntOrPercent,
        /// Pods of the wanted number that may be unavailable.
        max_unavailable: IntOrPercent,
    },
}

impl Strategy {
    /// The API server's default: 25 % each.
    pub const DEFAULT: Strategy = Strategy::RollingUpdate {
        max_surge: IntOrPercent::Percent(25),
        max_unavailable: IntOrPercent::Percent(25),
    };

    /// Pods that may exist above `replicas`: a percentage is rounded up.
    pub fn surge(self, replicas: i32) -> i32 {
        match self {
            Strategy::Recreate => 0,
            Strategy::RollingUpdate { max_surge, .. } => max_surge.of(replicas, true),
        }
    }

    /// Of `replicas`, pods that may be unavailable: a percentage is rounded down. With a surge of 0 it is at least 1,
    /// or nothing could ever be replaced.
    pub fn unavailable(self, replicas: i32) -> i32 {
        match self {
            Strategy::RollingUpdate { max_unavailable, .. } if replicas > 0 => {
                let resolved = max_unavailable.of(replicas, false);
                let both_zero = resolved == 0 && self.surge(replicas) == 0;
                (if both_zero { 1 } else { resolved }).min(replicas)
            }
            _ => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rolling(max_surge: IntOrPercent, max_unavailable: IntOrPercent) -> Strategy {
        Strategy::RollingUpdate { max_surge, max_unavailable }
    }

    #[test]
    fn a_surge_is_rounded_up_and_unavailability_down() {
        assert_eq!((Strategy::DEFAULT.surge(10), Strategy::DEFAULT.unavailable(10)), (3, 2));
        assert_eq!((Strategy::DEFAULT.surge(1), Strategy::DEFAULT.unavailable(1)), (1, 0));
    }

    #[test]
    fn without_surge_and_unavailability_one_pod_may_be_unavailable() {
        let none = rolling(IntOrPercent::Int(0), IntOrPercent::Percent(1));
        assert_eq!((none.surge(10), none.unavailable(10)), (0, 1));
        assert_eq!(none.unavailable(0), 0);
    }

    #[test]
    fn unavailability_is_never_more_than_all_pods_and_recreate_has_none() {
        assert_eq!(rolling(IntOrPercent::Int(0), IntOrPercent::Int(7)).unavailable(3), 3);
        assert_eq!((Strategy::Recreate.surge(3), Strategy::Recreate.unavailable(3)), (0, 0));
    }
}
