//! Names and their pseudonyms.
//!
//! A name is replaced piece by piece, a piece being what stands between two separators, and a piece
//! always by the same one. So what belongs together still does, with no need to know what a name is
//! of: `web-6d4c8f7b9-xk2vp` begins as its ReplicaSet `web-6d4c8f7b9` and its Deployment `web` do.

use std::collections::HashMap;

/// Names that identify nobody, and by which the program knows an object.
const KEPT: [&str; 5] =
    ["default", "kube-system", "kube-public", "kube-node-lease", "kube-controller-manager"];

/// The letters of which the API server makes the end of a name; digits first.
const GENERATED: &[u8] = b"2456789bcdfghjklmnpqrstvwxz";

/// How many of them are digits.
const DIGITS: usize = 7;

/// How long such an end is.
const END: usize = 5;

/// What a piece looks like. Messages are compared without what differs from one try to the next, and
/// that is told by its looks: so what stands for a piece looks like it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Looks {
    /// Five letters as the API server makes them; whether a digit comes first.
    Generated(bool),
    /// A hash; whether a digit comes first.
    Hash(bool),
    /// Digits alone.
    Number,
    /// Anything else that begins with a digit.
    Numbered,
    /// A word.
    Word,
}

impl Looks {
    fn of(piece: &str) -> Looks {
        let digit = piece.starts_with(|c: char| c.is_ascii_digit());
        let has_digit = piece.bytes().any(|b| b.is_ascii_digit());
        let hexadecimal = |b: u8| b.is_ascii_digit() || (b'a'..=b'f').contains(&b);
        if piece.len() == END && piece.bytes().all(|b| GENERATED.contains(&b)) {
            Looks::Generated(digit)
        } else if piece.len() >= 8 && has_digit && piece.bytes().all(hexadecimal) {
            Looks::Hash(digit)
        } else if piece.bytes().all(|b| b.is_ascii_digit()) {
            Looks::Number
        } else if digit {
            Looks::Numbered
        } else {
            Looks::Word
        }
    }

    /// The piece of this number that looks so.
    fn make(self, number: usize) -> String {
        match self {
            Looks::Generated(digit) => generated(digit, number),
            Looks::Hash(digit) => format!("{}{number:07x}0", if digit { '1' } else { 'e' }),
            Looks::Number => (1000 + number).to_string(),
            Looks::Numbered => format!("0x{number}"),
            Looks::Word => format!("name{number}"),
        }
    }
}

fn generated(digit: bool, number: usize) -> String {
    let (digits, letters) = GENERATED.split_at(DIGITS);
    let mut rest = number;
    let mut end = Vec::with_capacity(END);
    while end.len() + 1 < END {
        end.push(GENERATED[rest % GENERATED.len()]);
        rest /= GENERATED.len();
    }
    let first = if digit { digits } else { letters };
    end.push(first[rest % first.len()]);
    end.iter().rev().copied().map(char::from).collect()
}

/// What stands for which piece.
#[derive(Debug, Default)]
pub(crate) struct Pseudonyms {
    known: HashMap<String, String>,
    /// How many pieces of each looks there are.
    counts: HashMap<Looks, usize>,
}

impl Pseudonyms {
    /// What stands for a name, a label's value, an image and the like.
    pub fn name(&mut self, name: &str) -> String {
        self.name_but(name, &[])
    }

    /// The same, where these parts stay too.
    pub(crate) fn name_but(&mut self, name: &str, kept: &[&str]) -> String {
        if is_uuid(name) {
            return name.to_owned();
        }
        let mut out = String::with_capacity(name.len() + 8);
        for part in name.split_inclusive(['.', '/']) {
            let bare = part.trim_end_matches(['.', '/']);
            if KEPT.contains(&bare) || kept.contains(&bare) {
                out.push_str(part);
            } else {
                self.pieces(part, &mut out);
            }
        }
        out
    }

    /// What stands for the prefix of generated names.
    pub(crate) fn prefix(&mut self, prefix: &str) -> String {
        let bare = prefix.trim_end_matches('-');
        self.name(bare) + &prefix[bare.len()..]
    }

    fn pieces(&mut self, part: &str, out: &mut String) {
        let mut rest = part;
        while let Some(first) = rest.chars().next() {
            let end = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
            if end > 0 {
                let (piece, after) = rest.split_at(end);
                out.push_str(self.piece(piece));
                rest = after;
            } else {
                out.push(first);
                rest = &rest[first.len_utf8()..];
            }
        }
    }

    fn piece(&mut self, piece: &str) -> &str {
        let counts = &mut self.counts;
        self.known.entry(piece.to_owned()).or_insert_with(|| {
            let looks = Looks::of(piece);
            let count = counts.entry(looks).or_default();
            *count += 1;
            looks.make(*count)
        })
    }
}

/// Whether this is a UUID: it is random and identifies nobody.
fn is_uuid(text: &str) -> bool {
    let groups = text.split('-').map(str::len);
    groups.eq([8, 4, 4, 4, 12]) && text.bytes().all(|b| b == b'-' || b.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_belongs_together_still_does() {
        let mut names = Pseudonyms::default();
        let (deployment, replica_set) = (names.name("web"), names.name("web-6d4c8f7b9"));
        assert_eq!(replica_set, format!("{deployment}-{}", names.name("6d4c8f7b9")));
        assert_eq!(names.prefix("web-6d4c8f7b9-"), format!("{replica_set}-"));
        let pod = names.name("web-6d4c8f7b9-xk2vp");
        assert!(pod.starts_with(&format!("{replica_set}-")), "{pod}");
        assert_ne!(names.name("web-6d4c8f7b9-xk2vq"), pod);
        assert_ne!(names.name("api"), deployment);
    }

    #[test]
    fn what_stands_for_a_piece_looks_like_it_and_is_another() {
        let mut names = Pseudonyms::default();
        let pieces = ["xk2vp", "4k2vp", "6d4c8f7b9", "d4c8f7b9a", "12345678", "7", "3scale", "web", "Über"];
        for piece in pieces {
            let other = names.name(piece);
            assert_eq!(Looks::of(&other), Looks::of(piece), "{piece} {other}");
            assert_ne!(other, piece);
        }
    }

    #[test]
    fn many_pieces_are_told_apart() {
        let mut names = Pseudonyms::default();
        let all: std::collections::HashSet<String> =
            (0..100_000).map(|n| names.name(&generated(n % 3 == 0, n + 7))).collect();
        assert_eq!(all.len(), 100_000);
        assert!((1..5000).all(|n| Looks::of(&Looks::Word.make(n)) == Looks::Word));
    }

    #[test]
    fn names_of_everybody_stay() {
        let mut names = Pseudonyms::default();
        for name in ["default", "kube-system", "", "0c2f1f3e-2e5a-4a6c-9d41-3f0d0a0a1b2c"] {
            assert_eq!(names.name(name), name);
        }
        let host = names.name_but("w.kube-system.svc", &["svc"]);
        assert_eq!(host, format!("{}.kube-system.svc", names.name("w")));
    }
}
