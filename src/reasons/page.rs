//! The page of a code, `docs/reasons/CODE.md`. Its parts are cut out when the program is compiled, so that a
//! malformed page fails the build. The example at its end does not go into the binary.

/// What a page says, each part on one line and without backticks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Page {
    /// One line, at most 72 characters, without a full stop at its end.
    pub(crate) meaning: &'static str,
    /// What it is, what ends it, and where versions differ.
    pub(crate) text: &'static str,
    /// By what evidence it is recognised.
    pub(crate) recognised: &'static str,
    /// What to do next.
    pub(crate) remedy: &'static str,
    /// What triggers the sync that ends it; `None` where it blocks no sync.
    pub(crate) trigger: Option<&'static str>,
}

const EXAMPLE: &str = "\n\n## Example\n\n";
const TRIGGER: &str = "\n\n**What triggers a sync.** ";

impl Page {
    pub(super) const fn parse(code: &str, head: &'static [u8]) -> Page {
        let Ok(head) = str::from_utf8(head) else { panic!("the page is not UTF-8") };
        let (title, rest) = split(head, "\n\n**");
        let (hash, title) = split(title, "# ");
        assert!(hash.is_empty() && starts_with(title, 0, code), "the title of the page is not its code");
        let (meaning, rest) = split(rest, ".**\n\n");
        let (text, rest) = split(rest, "\n\n**How it is recognised.** ");
        let (recognised, rest) = split(rest, "\n\n**How sure it is.** ");
        let (_tiers, rest) = split(rest, "\n\n**What to do.** ");
        let (remedy, trigger) = match find(rest, TRIGGER) {
            Some(_) => {
                let (remedy, trigger) = split(rest, TRIGGER);
                (remedy, Some(trigger))
            }
            None => (rest, None),
        };
        Page { meaning, text, recognised, remedy, trigger }
    }
}

/// How many bytes [`head`] gives.
pub(super) const fn head_len(page: &str) -> usize {
    let end = end_of_head(page);
    let (mut at, mut len) = (0, 0);
    while at < end {
        if page.as_bytes()[at] != b'`' {
            len += 1;
        }
        at += 1;
    }
    len
}

/// The page up to its example, without backticks and with a space for each line break in a paragraph.
pub(super) const fn head<const LEN: usize>(page: &str) -> [u8; LEN] {
    let bytes = page.as_bytes();
    let end = end_of_head(page);
    let mut head = [0; LEN];
    let (mut at, mut len) = (0, 0);
    while at < end {
        let breaks_line = bytes[at] == b'\n' && at > 0 && bytes[at - 1] != b'\n' && bytes[at + 1] != b'\n';
        if bytes[at] != b'`' {
            head[len] = if breaks_line { b' ' } else { bytes[at] };
            len += 1;
        }
        at += 1;
    }
    head
}

const fn end_of_head(page: &str) -> usize {
    match find(page, EXAMPLE) {
        Some(end) => end,
        None => panic!("the page has no example"),
    }
}

/// What is before and after a mark.
const fn split<'a>(text: &'a str, mark: &str) -> (&'a str, &'a str) {
    let Some(at) = find(text, mark) else { panic!("a part of the page is missing or out of order") };
    let (before, rest) = text.split_at(at);
    (before, rest.split_at(mark.len()).1)
}

const fn find(text: &str, mark: &str) -> Option<usize> {
    let mut at = 0;
    while at + mark.len() <= text.len() {
        if starts_with(text, at, mark) {
            return Some(at);
        }
        at += 1;
    }
    None
}

const fn starts_with(text: &str, at: usize, mark: &str) -> bool {
    let (text, mark) = (text.as_bytes(), mark.as_bytes());
    let mut place = 0;
    while place < mark.len() {
        if at + place >= text.len() || text[at + place] != mark[place] {
            return false;
        }
        place += 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "# A\n\n**It is.**\n\nOne\ntwo `x`.\n\n**How it is recognised.** By\nit.\n\n\
                        **How sure it is.** observed: seen.\n\n**What to do.** `cmd`\n\n## Example\n\nnone\n";

    fn parse(page: &str) -> Page {
        let page: &'static str = page.to_owned().leak();
        Page::parse("A", head_of(page).leak())
    }

    /// What [`head`] gives for a length that is known only now.
    fn head_of(page: &str) -> Vec<u8> {
        let head: [u8; 512] = head(page);
        head[..head_len(page)].to_vec()
    }

    #[test]
    fn parts_are_unwrapped_and_the_example_is_left_out() {
        let page = parse(PAGE);
        assert_eq!((page.meaning, page.text), ("It is", "One two x."));
        assert_eq!((page.recognised, page.remedy, page.trigger), ("By it.", "cmd", None));
        let with_trigger = PAGE.replace("`cmd`", "`cmd`\n\n**What triggers a sync.** Any\nevent.");
        assert_eq!(parse(&with_trigger).trigger, Some("Any event."));
    }

    #[test]
    fn a_page_without_one_of_its_parts_is_refused() {
        let parts = ["# A", ".**\n\n", "**How it is", "**How sure", "**What to do", "## Example"];
        for part in parts {
            let page = PAGE.replacen(part, "", 1);
            assert!(std::panic::catch_unwind(|| parse(&page)).is_err(), "{part}");
        }
    }
}
