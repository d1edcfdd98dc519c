//! Says on standard error how long the window is still open, if that is a terminal.

use std::io::{IsTerminal, Write};
use std::time::Duration;

/// A line that is rewritten every second and gone at the end.
#[derive(Debug)]
pub(crate) struct Countdown {
    visible: bool,
    shown: bool,
}

impl Countdown {
    /// Shows nothing yet.
    pub fn new() -> Countdown {
        Countdown { visible: std::io::stderr().is_terminal(), shown: false }
    }

    /// Shows what is left of a window of limited length.
    pub(crate) fn show(&mut self, left: Option<Duration>) {
        let (true, Some(left)) = (self.visible, left) else { return };
        self.shown = true;
        // What cannot be shown is not worth an error.
        let _ = write!(std::io::stderr(), "\r\x1b[K{}", text(left));
    }
}

impl Drop for Countdown {
    fn drop(&mut self) {
        if self.shown {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}

fn text(left: Duration) -> String {
    // Seconds that have begun count.
    let seconds = left.as_millis().div_ceil(1_000);
    format!("watching for {seconds} s more (Ctrl-C ends it)")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_that_have_begun_count() {
        assert_eq!(text(Duration::from_millis(4_001)), "watching for 5 s more (Ctrl-C ends it)");
        assert_eq!(text(Duration::from_secs(4)), "watching for 4 s more (Ctrl-C ends it)");
    }
}
