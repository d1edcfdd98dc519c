//! `-o custom-columns`: a table of what paths lead to.

use serde_json::Value;

use super::jsonpath::{JsonPath, TemplateError, shown};

/// The columns of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct Columns(Vec<Column>);

#[derive(Debug, Clone, PartialEq)]
struct Column {
    head: String,
    path: JsonPath,
}

/// Why columns cannot be read; in kubectl's words where it has words.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum ColumnsError {
    /// Nothing stands after `custom-columns=`.
    #[error("custom-columns format specified but no custom columns given")]
    None,
    /// A file has not the two lines.
    #[error("expected a line of column heads and a line of paths")]
    NotTwoLines,
    /// A file has more heads than paths, or fewer.
    #[error("number of headers ({heads}) and field specifications ({paths}) don't match")]
    Unequal {
        /// How many heads.
        heads: usize,
        /// How many paths.
        paths: usize,
    },
    /// A column is not a head and a path.
    #[error("unexpected custom-columns spec: {0}, expected <header>:<json-path-expr>")]
    NotAColumn(String),
    /// The path of a column is wrong.
    #[error(transparent)]
    Path(#[from] TemplateError),
}

impl Columns {
    /// Reads `HEADER:.path,HEADER:.other.path`.
    pub fn parse(text: &str) -> Result<Columns, ColumnsError> {
        if text.is_empty() {
            return Err(ColumnsError::None);
        }
        outside_brackets(text).into_iter().map(Column::parse).collect::<Result<_, _>>().map(Columns)
    }

    /// Reads the two lines of a file: the heads, and a path beneath each.
    pub fn parse_file(text: &str) -> Result<Columns, ColumnsError> {
        let mut lines = text.lines().filter(|line| !line.trim().is_empty());
        let mut words = || lines.next().map(|line| line.split_whitespace().collect::<Vec<_>>());
        let (Some(heads), Some(paths), None) = (words(), words(), words()) else {
            return Err(ColumnsError::NotTwoLines);
        };
        if heads.len() != paths.len() {
            return Err(ColumnsError::Unequal { heads: heads.len(), paths: paths.len() });
        }
        let column = |(head, path): (&&str, &&str)| Column::new(head, path);
        heads.iter().zip(&paths).map(column).collect::<Result<_, _>>().map(Columns)
    }

    /// The heads.
    pub fn heads(&self) -> Vec<&str> {
        self.0.iter().map(|column| column.head.as_str()).collect()
    }

    /// The cells of an object: several values with commas between them, `<none>` where there is none.
    pub fn cells(&self, object: &Value) -> Result<Vec<String>, TemplateError> {
        self.0.iter().map(|column| column.cell(object)).collect()
    }
}

impl Column {
    fn parse(text: &str) -> Result<Column, ColumnsError> {
        match text.split_once(':') {
            Some((head, path)) if !head.is_empty() && !path.is_empty() => Column::new(head, path),
            _ => Err(ColumnsError::NotAColumn(text.to_owned())),
        }
    }

    fn new(head: &str, path: &str) -> Result<Column, ColumnsError> {
        Ok(Column { head: head.to_owned(), path: JsonPath::parse_path(path)? })
    }

    fn cell(&self, object: &Value) -> Result<String, TemplateError> {
        let values = self.path.find(object)?;
        let known = values.iter().filter(|value| !value.is_null()).map(shown).collect::<Vec<_>>();
        Ok(if known.is_empty() { "<none>".into() } else { known.join(",") })
    }
}

/// The parts between commas, but for commas within brackets: `A:.x[0,1],B:.y`.
fn outside_brackets(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut begin) = (0_usize, 0);
    for (at, c) in text.char_indices() {
        match c {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(&text[begin..at]);
                begin = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[begin..]);
    parts
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn columns_show_values_lists_and_none() {
        let object =
            json!({"name": "web", "until": null, "wake": ["a", "b"], "plan": {"n": 1}, "m": [[1, 2]]});
        let columns = Columns::parse(
            "NAME:.name,UNTIL:until.at,WAKE:{.wake[*]},NO:.no,NULL:.until,PLAN:.plan,M:.m[0][0,1]",
        );
        let columns = columns.unwrap();
        assert_eq!(columns.heads(), ["NAME", "UNTIL", "WAKE", "NO", "NULL", "PLAN", "M"]);
        assert_eq!(
            columns.cells(&object).unwrap(),
            ["web", "<none>", "a,b", "<none>", "<none>", "{\"n\":1}", "1,2"]
        );
    }

    #[test]
    fn wrong_columns_are_refused_in_kubectls_words() {
        assert_eq!(Columns::parse(""), Err(ColumnsError::None));
        for wrong in ["NAME", "NAME:", ":.a", "A:.a,", "A:.a,B"] {
            assert!(matches!(Columns::parse(wrong), Err(ColumnsError::NotAColumn(_))), "{wrong}");
        }
        assert!(Columns::parse("A:{.a").is_err());
    }

    #[test]
    fn a_file_has_heads_above_their_paths() {
        let columns = Columns::parse_file("NAME   DESIRED\n.object.name   .desired\n").unwrap();
        assert_eq!(columns, Columns::parse("NAME:.object.name,DESIRED:.desired").unwrap());
        for wrong in ["", "A B\n.a\n", "A\n.a\n.b\n"] {
            assert!(Columns::parse_file(wrong).is_err(), "{wrong}");
        }
    }
}
