//! Pictures in one page, each with the rows of the text beneath.
//!
//! The page needs nothing else and runs only its own script: its Content-Security-Policy names the hashes
//! of script and style, and allows nothing more.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ring::digest::{SHA256, digest};

use super::draw::{style, xml};
use super::{Picture, PictureRow, chart, from_to};
use crate::reconstruct::ledger::Basis;
use crate::report::format::{awaited, date, time};
use crate::report::timeline::{self, due};

const CSS: &str = include_str!("page.css");

const SCRIPT: &str = include_str!("page.js");

const RESTING: &str = "Point at something in the picture, or go through it with Tab: what it is stands here.";

/// The page. `notes` say what the whole of it leaves out.
pub(crate) fn page(pictures: &[Picture], notes: &[String]) -> String {
    let style = format!("{CSS}{}", style());
    let policy = format!(
        "default-src 'none'; style-src '{}'; script-src '{}'; base-uri 'none'; form-action 'none'",
        hash(&style),
        hash(SCRIPT)
    );
    let names: Vec<String> = pictures.iter().map(|picture| xml(&picture.name)).collect();
    let title = match names.as_slice() {
        [] => "Timeline".to_owned(),
        [one] => format!("{one} – timeline"),
        [first, others @ ..] => format!("{first} and {} more – timeline", others.len()),
    };
    let nothing = if pictures.is_empty() { "<p>Nothing was seen.</p>\n" } else { "" };
    let sections: String =
        pictures.iter().enumerate().map(|(place, picture)| section(picture, place)).collect();
    let notes: String = notes.iter().map(|note| format!("<p class=\"soft\">{}</p>\n", xml(note))).collect();
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
         <title>{title}</title>\n<style>{style}</style>\n</head>\n<body>\n<main>\n<h1>Timeline</h1>\n\
         <p class=\"soft\">What a ReplicaSet’s controller awaited, when its gate was open, and what became of \
         its pods. Times are UTC, on the clock of whoever watched.</p>\n{notes}{nothing}{contents}{sections}\
         <footer>Written by kubectl rsexp {version}. In the picture a column with dashed edges is a silence, \
         not drawn to scale: nothing happened for the time above it. Rows in italics (=&gt;) are inferred by \
         the controller’s rules; log marks the controller’s own log.</footer>\n\
         </main>\n<script>{SCRIPT}</script>\n</body>\n</html>\n",
        contents = contents(pictures),
        version = env!("CARGO_PKG_VERSION"),
    )
}

fn hash(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(digest(&SHA256, text.as_bytes())))
}

/// Links to the sections, if there are several.
fn contents(pictures: &[Picture]) -> String {
    if pictures.len() < 2 {
        return String::new();
    }
    let link = |(place, picture): (usize, &Picture)| {
        format!("<li><a href=\"#s{place}\">{} ({})</a></li>\n", xml(&picture.name), xml(&picture.namespace))
    };
    let links: String = pictures.iter().enumerate().map(link).collect();
    format!("<nav aria-label=\"ReplicaSets\"><ul>\n{links}</ul></nav>\n")
}

fn section(picture: &Picture, place: usize) -> String {
    let dropped = match picture.dropped {
        0 => String::new(),
        dropped => format!("<p class=\"soft\">{dropped} earlier rows are left out.</p>\n"),
    };
    format!(
        "<section id=\"s{place}\" aria-labelledby=\"h{place}\">\n<h2 id=\"h{place}\">{name} ({namespace})</h2>\n\
         <p class=\"soft\">{when}</p>\n<p class=\"verdict\">{verdict}</p>\n\
         <div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Picture\">\n{svg}</div>\n\
         <p class=\"told\" aria-live=\"polite\">{RESTING}</p>\n{dropped}\
         <div class=\"scroll tall\" tabindex=\"0\" role=\"region\" aria-label=\"Rows\">\n{table}</div>\n</section>\n",
        name = xml(&picture.name),
        namespace = xml(&picture.namespace),
        when = xml(&from_to(picture)),
        verdict = xml(picture.verdict.trim()),
        svg = chart::element(picture),
        table = table(&picture.rows),
    )
}

/// The rows of the text, as a table.
fn table(rows: &[PictureRow]) -> String {
    let mut day = String::new();
    let mut body = String::new();
    for row in rows {
        let new = date(row.line.at);
        if new != day {
            body += &format!("<tr class=\"day\"><th scope=\"rowgroup\" colspan=\"7\">{new}</th></tr>\n");
            day = new;
        }
        body += &table_row(row, &time(row.line.at));
    }
    format!(
        "<table>\n<caption>The same, row by row.</caption>\n<thead><tr><th scope=\"col\">time</th>\
         <th scope=\"col\">known</th><th scope=\"col\">what</th><th scope=\"col\" class=\"figure\">add</th>\
         <th scope=\"col\" class=\"figure\">del</th><th scope=\"col\">gate</th><th scope=\"col\">next sync</th></tr></thead>\n\
         <tbody>\n{body}</tbody>\n</table>\n"
    )
}

fn table_row(row: &PictureRow, stamp: &str) -> String {
    let line = &row.line;
    let below = [timeline::run(line), line.message.clone()];
    let below: String =
        below.into_iter().flatten().map(|text| format!("<small>{}</small>", xml(&text))).collect();
    let what = format!("{}{below}", xml(&line.text));
    if line.basis == Basis::Gap {
        return format!(
            "<tr class=\"gap\"><td class=\"when\">{stamp}</td><td>---</td><td colspan=\"5\">{what}</td></tr>\n"
        );
    }
    let (add, del) = (line.add.map(awaited).unwrap_or_default(), line.del.map(awaited).unwrap_or_default());
    let there = line.add.is_some();
    let gate = if there { timeline::gate(line).as_str() } else { "" };
    let next = match &line.sync {
        Some(sync) => due(sync),
        None if there => "nothing".into(),
        None => String::new(),
    };
    let class = if line.basis == Basis::Inferred { " class=\"inferred\"" } else { "" };
    format!(
        "<tr{class}><td class=\"when\">{stamp}</td><td class=\"how\">{known}</td><td class=\"what\">{what}</td>\
         <td class=\"figure\">{add}</td><td class=\"figure\">{del}</td><td class=\"gate\">{gate}</td>\
         <td class=\"next\">{next}</td></tr>\n",
        known = if line.basis == Basis::Seen { "seen".into() } else { xml(timeline::mark(line.basis)) },
        add = xml(&add),
        del = xml(&del),
        next = xml(&next),
    )
}
