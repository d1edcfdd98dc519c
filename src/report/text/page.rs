//! A page that grows line by line: paragraphs, and sections with their label in a left column.

use crate::report::style::Style;

/// Where the text of a section begins.
pub(super) const COLUMN: usize = 10;

/// Text under construction.
pub(super) struct Page<'a> {
    pub(super) style: &'a Style,
    out: String,
}

impl<'a> Page<'a> {
    pub(super) fn new(style: &'a Style) -> Self {
        Page { style, out: String::new() }
    }

    pub(super) fn finish(self) -> String {
        self.out
    }

    /// A line, or lines already broken.
    pub(super) fn line(&mut self, text: &str) {
        self.out.push_str(text);
        self.out.push('\n');
    }

    /// An empty line.
    pub(super) fn gap(&mut self) {
        self.out.push('\n');
    }

    /// A paragraph whose following lines are indented.
    pub(super) fn paragraph(&mut self, hang: usize, text: &str) {
        self.line(&self.style.paragraph("", hang, text));
    }

    /// An indented paragraph.
    pub(super) fn indented(&mut self, indent: usize, text: &str) {
        self.line(&self.style.paragraph(&" ".repeat(indent), indent + 2, text));
    }

    /// What to do. A command at its end that does not fit stands apart, whole.
    pub(super) fn advice(&mut self, indent: usize, hang: usize, words: &str, command: Option<&str>) {
        let paragraph = |text: &str| self.style.paragraph(&" ".repeat(indent), hang, text);
        let Some(command) = command else { return self.line(&paragraph(words)) };
        let whole = paragraph(format!("{words} {command}").trim_start());
        let lines = match (whole.contains('\n'), words.is_empty()) {
            (false, _) => whole,
            (true, true) => self.style.command(indent, command),
            (true, false) => format!("{}\n{}", paragraph(words), self.style.command(indent + 2, command)),
        };
        self.line(&lines);
    }

    /// A section's label and its first item.
    pub(super) fn section(&mut self, label: &str, text: &str) {
        let lead = format!("{}{}", self.style.bold(label), " ".repeat(COLUMN.saturating_sub(label.len())));
        self.line(&self.style.paragraph(&lead, COLUMN + 2, text));
    }

    /// A further item of a section.
    pub(super) fn item(&mut self, text: &str) {
        self.indented(COLUMN, text);
    }

    /// Items of a section; without any there is no section.
    pub(super) fn items(&mut self, label: &str, items: &[String]) {
        for (at, item) in items.iter().enumerate() {
            if at == 0 { self.section(label, item) } else { self.item(item) }
        }
    }
}
