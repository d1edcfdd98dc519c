//! One report value, and its renderings.
