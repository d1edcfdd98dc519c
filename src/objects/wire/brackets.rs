//! Follows JSON by its brackets alone, for text that cannot be parsed, or not yet.

/// How many brackets are open, outside strings.
#[derive(Debug, Default)]
pub(crate) struct Brackets {
    depth: usize,
    in_string: bool,
    escaped: bool,
}

/// A bracket outside a string, and how many are open behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Edge {
    Open(usize),
    Close(usize),
    /// It closes what was never opened.
    Excess,
}

impl Brackets {
    pub(crate) fn pass(&mut self, byte: u8) -> Option<Edge> {
        if self.in_string {
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' => self.escaped = true,
                b'"' => self.in_string = false,
                _ => {}
            }
            return None;
        }
        match byte {
            b'"' => {
                self.in_string = true;
                None
            }
            b'[' | b'{' => {
                self.depth += 1;
                Some(Edge::Open(self.depth))
            }
            b']' | b'}' => Some(match self.depth.checked_sub(1) {
                Some(depth) => {
                    self.depth = depth;
                    Edge::Close(depth)
                }
                None => Edge::Excess,
            }),
            _ => None,
        }
    }
}
