//! What the README shows is what the program prints.

use assert_cmd::Command;

/// The commands of ```console blocks with the output shown beneath them.
fn transcripts(text: &str) -> Vec<(String, String)> {
    let blocks = text.split("```console\n$ kubectl rsexp ").skip(1);
    blocks
        .map(|block| {
            let (command, rest) = block.split_once('\n').expect("a command");
            let (output, _) = rest.split_once("```").expect("the end of the block");
            (command.to_owned(), output.to_owned())
        })
        .collect()
}

#[test]
fn commands_of_the_readme_print_what_it_shows() {
    let readme = include_str!("../README.md");
    let transcripts = transcripts(readme);
    assert!(transcripts.len() >= 2, "the README shows real output");
    for (command, shown) in transcripts {
        let run = Command::cargo_bin("kubectl-rsexp")
            .expect("the binary")
            .args(command.split_whitespace())
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .env("COLUMNS", "80")
            .env_remove("CLICOLOR_FORCE")
            .assert()
            .success();
        let printed = String::from_utf8_lossy(&run.get_output().stdout).into_owned();
        assert_eq!(printed, shown, "kubectl rsexp {command}");
    }
}

#[test]
fn the_two_commands_of_the_readme_are_those_that_ci_runs() {
    let readme = include_str!("../README.md");
    assert!(readme.contains("cargo run -- demo") && readme.contains("cargo test"));
    assert!(include_str!("../.ci/run").contains("cargo test"));
}
