//! klog's JSON, `--logging-format=json`: recognised without reading all of it.

use super::messages;

/// The message stands behind time, logger and caller, so near the beginning.
const NEAR: usize = 2000;

/// Whether a line is one of klog in JSON, and whether its message may mean something.
pub(crate) fn peek(line: &[u8]) -> Option<bool> {
    if line.first() != Some(&b'{') {
        return None;
    }
    let near = &line[..line.len().min(NEAR)];
    let at = near.windows(5).position(|bytes| bytes == b"\"msg\"")?;
    let rest = line[at + 5..].trim_ascii_start().strip_prefix(b":")?;
    let message = rest.trim_ascii_start().strip_prefix(b"\"")?;
    near.windows(4).any(|bytes| bytes == b"\"ts\"").then(|| messages::is_known(message, true))
}
