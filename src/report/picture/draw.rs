//! Writes SVG: shapes by class, text escaped, numbers short.

use std::fmt::Write;

use crate::report::sanitize;

/// A property of a class, on light and on dark paper.
type Paint = (&'static str, &'static str, &'static str);

/// What a class looks like.
///
/// Few colours, told apart also without seeing red or green: blue and vermilion of Okabe and Ito's palette
/// for creations and deletions, greys for everything else.
const LOOKS: &[(&str, &[Paint])] = &[
    (".paper", &[("fill", "#ffffff", "#11151a")]),
    ("text", &[("fill", "#1f262d", "#e6e9ec")]),
    (".soft", &[("fill", "#5a6570", "#9aa5b0")]),
    (".onink", &[("fill", "#ffffff", "#11151a")]),
    (".lane", &[("stroke", "#dfe3e7", "#2b333c")]),
    (".grid", &[("stroke", "#e9ecef", "#20272f")]),
    (".axis", &[("stroke", "#8a949e", "#6b7682")]),
    (".fold", &[("fill", "#eef0f2", "#1c222a")]),
    (".foldedge", &[("stroke", "#b4bcc4", "#48535e")]),
    (".add", &[("fill", "#0072b2", "#56b4e9")]),
    (".addline", &[("stroke", "#0072b2", "#56b4e9")]),
    (".del", &[("fill", "#c04a00", "#f08a4b")]),
    (".delline", &[("stroke", "#c04a00", "#f08a4b")]),
    (".unknown", &[("stroke", "#c3cad1", "#3b4651")]),
    (".ink", &[("fill", "#2f3a45", "#c9d1d9")]),
    (".inkline", &[("stroke", "#2f3a45", "#c9d1d9")]),
    (".pod", &[("fill", "#6f7f8f", "#8796a5")]),
    (".podline", &[("stroke", "#6f7f8f", "#8796a5")]),
    (".label", &[("stroke", "#ffffff", "#11151a")]),
    (".hollow", &[("fill", "#ffffff", "#11151a")]),
];

/// What does not depend on the paper.
const SHAPES: &str = "\
.picture{font:11px ui-sans-serif,system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif}\
.picture .mono{font-family:ui-monospace,'SF Mono',Menlo,Consolas,'DejaVu Sans Mono',monospace}\
.picture .head{font-size:15px;font-weight:600}.picture .name{font-weight:600}\
.picture .mid{text-anchor:middle}.picture .right{text-anchor:end}\
.picture .lane,.picture .grid,.picture .axis,.picture .foldedge{fill:none;stroke-width:1}\
.picture .foldedge{stroke-dasharray:2 3}\
.picture .addline,.picture .delline,.picture .inkline,.picture .podline{fill:none;stroke-width:1.6}\
.picture .area{opacity:.24}.picture .unknown{stroke-width:1}\
.picture .faint{stroke-width:1;stroke-dasharray:3 3}.picture .thin{stroke-width:1}\
.picture .hollow{stroke-width:1.6}.picture .hit{fill:transparent}.picture .going{opacity:.45}\
.picture .label{paint-order:stroke;stroke-width:4;stroke-linejoin:round}\
.picture .mark:focus,.picture .mark:hover{outline:2px solid currentColor;outline-offset:2px}";

/// The style of pictures, for both papers.
pub(super) fn style() -> String {
    let mut light = SHAPES.to_owned();
    let mut dark = String::new();
    for (class, looks) in LOOKS {
        for (property, on_light, on_dark) in *looks {
            let _ = write!(light, ".picture {class}{{{property}:{on_light}}}");
            let _ = write!(dark, ".picture {class}{{{property}:{on_dark}}}");
        }
    }
    // Paper is white, whatever the screen.
    format!("{light}@media screen and (prefers-color-scheme:dark){{{dark}}}")
}

/// Text of a cluster as text of XML: what is hidden is shown, and nothing is markup.
pub(super) fn xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    for c in sanitize::escape(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // No characters of XML.
            '\u{fffe}' | '\u{ffff}' => {
                let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out
}

/// A number as short as a tenth of a pixel allows.
pub(super) fn n(value: f64) -> String {
    let tenths = (value * 10.0).round() / 10.0;
    if tenths == 0.0 { "0".into() } else { tenths.to_string() }
}

/// A point on the paper.
#[derive(Debug, Clone, Copy)]
pub(super) struct Point {
    x: f64,
    y: f64,
}

impl From<(f64, f64)> for Point {
    fn from((x, y): (f64, f64)) -> Point {
        Point { x, y }
    }
}

/// How wide and high something is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Size {
    width: f64,
    height: f64,
}

impl From<(f64, f64)> for Size {
    fn from((width, height): (f64, f64)) -> Size {
        Size { width, height }
    }
}

/// SVG that is being written.
#[derive(Debug, Default)]
pub(super) struct Canvas {
    pub(super) out: String,
}

impl Canvas {
    pub(super) fn path(&mut self, class: &str, d: &str) {
        let _ = writeln!(self.out, "<path class=\"{class}\" d=\"{d}\"/>");
    }

    /// A line from one point to another.
    pub(super) fn line(&mut self, class: &str, from: impl Into<Point>, to: impl Into<Point>) {
        let (from, to) = (from.into(), to.into());
        self.path(class, &format!("M{} {}L{} {}", n(from.x), n(from.y), n(to.x), n(to.y)));
    }

    /// A rectangle.
    pub(super) fn rect(&mut self, class: &str, corner: impl Into<Point>, size: impl Into<Size>) {
        let (corner, size) = (corner.into(), size.into());
        let (x, y) = (n(corner.x), n(corner.y));
        let (width, height) = (n(size.width.max(0.0)), n(size.height.max(0.0)));
        let _ = writeln!(
            self.out,
            "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"/>"
        );
    }

    /// Text; `y` is its base line.
    pub(super) fn text(&mut self, class: &str, at: impl Into<Point>, text: &str) {
        let (at, text) = (at.into(), xml(text));
        let (x, y) = (n(at.x), n(at.y));
        let _ = writeln!(self.out, "<text class=\"{class}\" x=\"{x}\" y=\"{y}\">{text}</text>");
    }

    /// Begins something that is told of on its own: under the mouse, and, unless there are very many of
    /// its kind, by Tab.
    pub(super) fn begin(&mut self, told: &str, rows: &[usize], reached: bool) {
        let told = xml(told);
        let rows: Vec<String> = rows.iter().map(usize::to_string).collect();
        let rows = if rows.is_empty() { String::new() } else { format!(" data-rows=\"{}\"", rows.join(" ")) };
        let reach = if reached {
            format!(" class=\"mark\" tabindex=\"0\" role=\"img\" aria-label=\"{told}\"")
        } else {
            String::new()
        };
        let _ = write!(self.out, "<g{reach}{rows}><title>{told}</title>");
    }

    pub(super) fn end(&mut self) {
        self.out.push_str("</g>\n");
    }
}

/// About so wide is a text of 11 px.
pub(super) fn width(text: &str) -> f64 {
    use unicode_width::UnicodeWidthStr;
    text.width() as f64 * 6.4
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_never_markup() {
        let attack = "</title><script>alert(1)</script>\"' onload='x' ]]>&\u{202e}\u{1}\u{fffe}\n";
        let text = xml(attack);
        assert!(!text.contains(['<', '>', '"', '\'', '\u{202e}', '\u{1}', '\u{fffe}', '\n']), "{text}");
        assert_eq!(xml("web-7d9f größe 容器"), "web-7d9f größe 容器");
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!([n(1.0), n(-0.01), n(12.34), n(0.05)], ["1", "0", "12.3", "0.1"]);
    }
}
