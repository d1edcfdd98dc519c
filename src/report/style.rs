//! How text is laid out on a terminal: colour, which never carries meaning alone, and width.

use colored::{Color, ColoredString, Colorize};
use unicode_width::UnicodeWidthChar;

use super::Verdict;

/// Columns beyond which text is hard to read: only tables go on.
const WIDEST: usize = 120;

/// Columns below which text is not wrapped any narrower.
const NARROWEST: usize = 20;

/// Colour and width of the output. Made by [`Style::new`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// Whether to write colour codes.
    pub(crate) colour: bool,
    /// Columns; 80 if unknown.
    pub(crate) width: usize,
}

impl Style {
    /// A style. Colour is decided here and nowhere else: with it, the guesses of `colored` about
    /// standard output are overruled; without it, `colored` is never asked.
    pub fn new(colour: bool, width: usize) -> Style {
        if colour {
            colored::control::set_override(true);
        }
        Style { colour, width }
    }

    /// The same for text, which is no wider than can be read well.
    pub(crate) fn of_text(self) -> Style {
        Style { width: self.width.min(WIDEST), ..self }
    }

    /// Without colour, 80 columns.
    #[cfg(test)]
    pub(crate) fn plain() -> Style {
        Style::new(false, 80)
    }

    pub(crate) fn bold(&self, text: &str) -> String {
        self.paint(text, Colorize::bold)
    }

    /// Faint.
    pub(crate) fn dim(&self, text: &str) -> String {
        self.paint(text, Colorize::dimmed)
    }

    /// What is added.
    pub(crate) fn added(&self, text: &str) -> String {
        self.paint(text, Colorize::green)
    }

    /// What is removed, and what fails.
    pub(crate) fn removed(&self, text: &str) -> String {
        self.paint(text, Colorize::red)
    }

    /// What may be removed.
    pub(crate) fn doubtful(&self, text: &str) -> String {
        self.paint(text, Colorize::yellow)
    }

    /// Text in the colour of a verdict, bold.
    pub(crate) fn verdict(&self, verdict: Verdict, text: &str) -> String {
        let colour = match verdict {
            Verdict::Settled => Color::Green,
            Verdict::Act => Color::Cyan,
            Verdict::Skip => Color::Yellow,
            Verdict::Blocked => Color::Red,
            Verdict::Undetermined => Color::Magenta,
        };
        self.paint(text, |text| text.color(colour).bold())
    }

    fn paint<'a>(&self, text: &'a str, how: impl Fn(&'a str) -> ColoredString) -> String {
        if self.colour && !text.is_empty() { how(text).to_string() } else { text.to_owned() }
    }

    /// A paragraph: `lead` and the text, with the following lines indented by `hang` columns.
    /// A word longer than the line stays whole, so that a name can be copied.
    pub(crate) fn paragraph(&self, lead: &str, hang: usize, text: &str) -> String {
        let room = |indent: usize| self.width.saturating_sub(indent).max(NARROWEST);
        let mut out = lead.to_owned();
        for (at, line) in wrap(text, room(columns(lead)), room(hang)).iter().enumerate() {
            if at > 0 {
                out.push('\n');
                out.push_str(&" ".repeat(hang));
            }
            out.push_str(line);
        }
        out
    }

    /// A command for the shell, so that it can be copied: broken lines end with a backslash.
    pub(crate) fn command(&self, indent: usize, command: &str) -> String {
        let room = self.width.saturating_sub(indent).max(NARROWEST);
        let lines = if columns(command) <= room {
            vec![command.to_owned()]
        } else {
            wrap(command, room - 2, room - 4)
        };
        let blank = " ".repeat(indent);
        format!("{blank}{}", lines.join(&format!(" \\\n{blank}  ")))
    }
}

/// Breaks a text at blanks into lines of at most `first` and then `rest` columns.
fn wrap(text: &str, first: usize, rest: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut used = 0;
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let room = if lines.len() == 1 { first } else { rest };
        let wide = columns(word);
        if used > 0 && used + 1 + wide > room {
            lines.push(String::new());
            used = 0;
        }
        if let Some(line) = lines.last_mut() {
            if used > 0 {
                line.push(' ');
                used += 1;
            }
            line.push_str(word);
            used += wide;
        }
    }
    lines
}

/// Columns that a text takes, colour codes left out. Other codes do not occur: text is escaped.
pub(crate) fn columns(text: &str) -> usize {
    let mut chars = text.chars();
    let mut sum = 0;
    while let Some(c) = chars.next() {
        if c == '\x1b' {
            chars.find(|&c| c == 'm');
        } else {
            sum += c.width().unwrap_or(0);
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colour_only_if_asked_for() {
        assert_eq!(Style::plain().verdict(Verdict::Skip, "SKIP"), "SKIP");
        let coloured = Style::new(true, 80).verdict(Verdict::Skip, "SKIP");
        assert!(coloured.starts_with("\x1b[") && coloured.contains("SKIP") && coloured.ends_with("\x1b[0m"));
        assert_eq!(columns(&coloured), 4);
        assert_eq!(Style::plain().bold("x"), "x");
    }

    #[test]
    fn a_paragraph_hangs() {
        let style = Style::new(false, 24);
        assert_eq!(
            style.paragraph("Why  ", 5, "three creations are awaited"),
            "Why  three creations are\n     awaited"
        );
        assert_eq!(
            style.paragraph("", 2, "a-very-long-name-that-stays-whole goes"),
            "a-very-long-name-that-stays-whole\n  goes"
        );
        assert_eq!(style.paragraph("x", 2, ""), "x");
    }

    #[test]
    fn a_broken_command_can_be_copied() {
        let style = Style::new(false, 34);
        assert_eq!(style.command(2, "kubectl get rs"), "  kubectl get rs");
        assert_eq!(
            style.command(2, "kubectl annotate rs web -n shop x=y"),
            "  kubectl annotate rs web -n \\\n    shop x=y"
        );
    }
}
