//! `demo`: recorded demonstrations that need no cluster.

use super::failure::Failure;
use super::suggest;

/// A demonstration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Demo {
    /// Its name.
    pub name: &'static str,
    /// One line about what it shows.
    pub about: &'static str,
}

/// Every demonstration.
pub const ALL: &[Demo] = &[];

/// The demonstration of a name.
pub fn find(name: &str, among: &'static [Demo]) -> Result<&'static Demo, Failure> {
    among.iter().find(|demo| demo.name == name).ok_or_else(|| {
        let hint = suggest::hint(name, among.iter().map(|demo| demo.name));
        Failure::Missing(vec![format!("there is no demonstration \"{name}\"{hint}")])
    })
}

/// The list of all, one a line.
pub fn list(among: &[Demo]) -> Result<String, Failure> {
    if among.is_empty() {
        return Err(Failure::Runtime("no demonstrations are built in yet".into()));
    }
    let width = among.iter().map(|demo| demo.name.len()).max().unwrap_or(0);
    Ok(among.iter().map(|demo| format!("{:width$}   {}\n", demo.name, demo.about)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOME: &[Demo] = &[
        Demo { name: "unmet", about: "pods are awaited" },
        Demo { name: "quota", about: "a quota refuses" },
    ];

    #[test]
    fn a_mistyped_name_is_answered_with_the_nearest() {
        assert_eq!(find("quota", SOME), Ok(&SOME[1]));
        let error = find("qouta", SOME).unwrap_err();
        assert_eq!(error.lines(), ["there is no demonstration \"qouta\"; did you mean \"quota\"?"]);
    }

    #[test]
    fn the_list_has_a_line_for_each() {
        assert_eq!(list(SOME).unwrap(), "unmet   pods are awaited\nquota   a quota refuses\n");
    }
}
