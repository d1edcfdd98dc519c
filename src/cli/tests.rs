use super::*;

fn answers(missing: &[&str], unusable: bool) -> Answers {
    let problems = if unusable { vec!["web.yaml: it is empty".to_owned()] } else { Vec::new() };
    let missing = missing.iter().map(|line| (*line).to_owned()).collect();
    Answers { missing, problems, ..Answers::default() }
}

fn ended(exit_code: bool, answers: &Answers) -> Exit {
    ending(&Settings { exit_code, ..Settings::of(settings::Question::Explain) }, answers)
}

#[test]
fn nothing_but_missing_targets_is_its_own_exit() {
    assert_eq!(ended(true, &answers(&["a"], false)), Exit::Missing);
    assert_eq!(ended(false, &answers(&[], false)), Exit::Answered);
}

#[test]
fn unusable_input_wins_over_a_missing_target() {
    assert_eq!(ended(true, &answers(&["a"], true)), Exit::Error);
    assert_eq!(ended(true, &answers(&[], true)), Exit::Error);
}
