use super::*;

fn answers(missing: &[&str], unusable: bool) -> Answers {
    let missing = missing.iter().map(|line| (*line).to_owned()).collect();
    Answers { reports: Vec::new(), warnings: Vec::new(), unusable, missing }
}

#[test]
fn nothing_but_missing_targets_is_its_own_exit() {
    assert_eq!(ending(true, &answers(&["a"], false)), Exit::Missing);
    assert_eq!(ending(false, &answers(&[], false)), Exit::Answered);
}

#[test]
fn unusable_input_wins_over_a_missing_target() {
    assert_eq!(ending(true, &answers(&["a"], true)), Exit::Error);
    assert_eq!(ending(true, &answers(&[], true)), Exit::Error);
}
