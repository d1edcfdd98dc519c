//! The pure model of the ReplicaSet controller: no I/O, no clock, no async.
