//! The archives of a release: what is in them, that they install by hand and as krew does, and that the same
//! binary and tree give the same bytes. They are made of the binary under test; with RSEXP_ARCHIVES=DIR those
//! in DIR are tested, which `packages/build` made.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

use serde_json::Value;

const BASE_URL: &str = "https://example.org/releases/v0";

/// Archives of this machine's target, unpacked.
struct Release {
    /// Where they are.
    out: PathBuf,
    /// `kubectl-rsexp-VERSION-TARGET`: the archive's name and the one directory in it.
    name: String,
    /// What the archive holds.
    unpacked: PathBuf,
}

static RELEASE: LazyLock<Release> = LazyLock::new(|| {
    let work = Path::new(env!("CARGO_TARGET_TMPDIR")).join("archive");
    let _ = fs::remove_dir_all(&work);
    fs::create_dir_all(&work).unwrap();
    let out = match std::env::var_os("RSEXP_ARCHIVES") {
        Some(out) => PathBuf::from(out),
        None => {
            let binary = work.join("binary");
            fs::copy(support::binary(), &binary).unwrap();
            // Smaller, where there is a tool for it.
            let _ = Command::new("strip").arg(&binary).status();
            build(&binary, &work.join("out"));
            work.join("out")
        }
    };
    let name = format!("kubectl-rsexp-{}-{}", env!("CARGO_PKG_VERSION"), target());
    let archive = out.join(format!("{name}.tar.gz"));
    ran(Command::new("tar").arg("-xzf").arg(&archive).arg("-C").arg(&work));
    Release { out, unpacked: work.join(&name), name }
});

fn build(binary: &Path, out: &Path) {
    let mut build = Command::new(support::root().join("packages/build"));
    ran(build.arg("--binary").arg(binary).args(["--base-url", BASE_URL, "--out"]).arg(out));
}

fn target() -> String {
    let version = ran(Command::new(support::binary()).args(["version", "-o", "json"]));
    let version: Value = serde_json::from_str(&version).unwrap();
    version["target"].as_str().unwrap().to_owned()
}

/// What a command prints; it must end well.
fn ran(command: &mut Command) -> String {
    let Output { status, stdout, stderr } = command.output().unwrap();
    assert!(status.success(), "{command:?}: {}", String::from_utf8_lossy(&stderr));
    String::from_utf8(stdout).unwrap()
}

fn sha256(file: &Path) -> String {
    let digest = ring::digest::digest(&ring::digest::SHA256, &fs::read(file).unwrap());
    digest.as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}

fn files(directory: &Path) -> BTreeSet<String> {
    fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

/// The kubectl that tests/control-plane/build has built, if it has.
fn kubectl() -> Option<PathBuf> {
    let under = |name: &str, below: &str| Some(PathBuf::from(std::env::var_os(name)?).join(below));
    let cache = under("RSEXP_CACHE", "")
        .or_else(|| under("XDG_CACHE_HOME", "kubectl-rsexp"))
        .or_else(|| under("HOME", ".cache/kubectl-rsexp"))?;
    let versions = fs::read_dir(cache.join("control-plane")).ok()?;
    let programs = versions.map(|version| version.unwrap().path().join("bin/kubectl"));
    programs.filter(|program| program.exists()).max()
}

/// Runs `kubectl rsexp` with an empty home and nothing on the PATH but this directory and kubectl; the
/// binary itself where there is no kubectl.
fn rsexp(directory: &Path, arguments: &[&str]) -> String {
    let home = tempfile::tempdir().unwrap();
    let mut command = match kubectl() {
        Some(kubectl) => {
            symlink(kubectl, home.path().join("kubectl")).unwrap();
            let mut command = Command::new(home.path().join("kubectl"));
            // kubectl completes a plugin where it is asked to, before all other words.
            match arguments.split_first() {
                Some((&"__complete", words)) => command.args(["__complete", "rsexp"]).args(words),
                _ => command.arg("rsexp").args(arguments),
            };
            command
        }
        None => {
            support::skipped("no kubectl to run the archive's program (tests/control-plane/build builds it)");
            let mut command = Command::new(directory.join("kubectl-rsexp"));
            command.args(arguments);
            command
        }
    };
    let path = std::env::join_paths([directory, home.path()]).unwrap();
    ran(command.env_clear().env("HOME", home.path()).env("PATH", path).current_dir(home.path()))
}

/// What whoever installs it does first.
fn answers(directory: &Path) {
    let version = rsexp(directory, &["version"]);
    assert!(version.starts_with(concat!("kubectl-rsexp ", env!("CARGO_PKG_VERSION"), "\n")), "{version}");
    if std::env::var_os("RSEXP_ARCHIVES").is_some() {
        let head = ran(Command::new("git").args(["rev-parse", "HEAD"]));
        assert!(version.contains(&format!("\ncommit {}", head.trim())), "{version}");
    }
    assert!(rsexp(directory, &["demo"]).contains("expectations"));
    assert!(rsexp(directory, &["explain", "--list-codes"]).contains("ExpectationsUnmet"));
}

#[test]
fn nothing_but_what_is_listed_is_in_the_archive_and_it_is_nobodys() {
    let release = &*RELEASE;
    let listing = ran(Command::new("tar").args(["--numeric-owner", "-tvzf"]).arg(archive(release)));
    let mut program = rsexp::cli::definition();
    program.build();
    let commands = program.get_subcommands().map(clap::Command::get_name).filter(|name| *name != "help");
    let pages = commands.map(|name| format!("man/kubectl-rsexp-{name}.1"));
    let scripts = [
        "_kubectl-rsexp",
        "_kubectl-rsexp.ps1",
        "kubectl-rsexp.bash",
        "kubectl-rsexp.elv",
        "kubectl-rsexp.fish",
    ];
    let mut expected: BTreeSet<String> =
        scripts.iter().map(|script| format!("completions/{script}")).collect();
    expected.extend(pages);
    let others = [
        "",
        "LICENSE",
        "README.md",
        "THIRD-PARTY",
        "completions/",
        "kubectl-rsexp",
        "kubectl_complete-rsexp",
        "man/",
    ];
    expected.extend(others.map(str::to_owned));
    expected.insert("man/kubectl-rsexp.1".to_owned());

    let mut found = Vec::new();
    let mut times = BTreeSet::new();
    for line in listing.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [mode, owner, _, day, time, path] = words[..] else { panic!("{line}") };
        let path = path.strip_prefix(&format!("{}/", release.name)).unwrap_or_else(|| panic!("{line}"));
        let executable = path.is_empty() || path.ends_with('/') || path.starts_with("kubectl");
        assert_eq!(
            (owner, &mode[1..]),
            ("0/0", if executable { "rwxr-xr-x" } else { "rw-r--r--" }),
            "{line}"
        );
        times.insert((day, time));
        found.push(path.to_owned());
    }
    assert_eq!(BTreeSet::from_iter(found.iter().cloned()), expected);
    assert_eq!((found.len(), times.len()), (expected.len(), 1), "{listing}");
    let notices = fs::read_to_string(release.unpacked.join("THIRD-PARTY")).unwrap();
    assert!(notices.contains("======== rustls v") && notices.contains("Permission is hereby granted"));
    assert_eq!(fs::read("LICENSE").unwrap(), fs::read(release.unpacked.join("LICENSE")).unwrap());
}

fn archive(release: &Release) -> PathBuf {
    release.out.join(format!("{}.tar.gz", release.name))
}

#[test]
fn every_checksum_is_right_and_every_archive_has_one() {
    let out = &RELEASE.out;
    let sums = fs::read_to_string(out.join("SHA256SUMS")).unwrap();
    let mut summed = BTreeSet::from(["SHA256SUMS".to_owned(), "rsexp.yaml".to_owned()]);
    for line in sums.lines() {
        let (sum, name) = line.split_once("  ").unwrap();
        assert_eq!(sum, sha256(&out.join(name)), "{name}");
        summed.insert(name.to_owned());
    }
    assert_eq!(summed, files(out));
}

#[test]
fn the_same_binary_and_tree_give_the_same_bytes() {
    let release = &*RELEASE;
    let again = tempfile::tempdir().unwrap();
    build(&release.unpacked.join("kubectl-rsexp"), again.path());
    let again = again.path().join(format!("{}.tar.gz", release.name));
    assert!(fs::read(archive(release)).unwrap() == fs::read(again).unwrap());
}

#[test]
fn unpacked_into_a_directory_of_the_path_it_answers_and_completes() {
    let directory = &RELEASE.unpacked;
    answers(directory);
    let completed = rsexp(directory, &["__complete", "demo", "scale"]);
    assert_eq!(completed, "scale-down\twhich pods go, and the rule that decides each\n:4\n");
}

#[test]
fn krew_would_take_the_manifest_and_install_what_it_names() {
    let release = &*RELEASE;
    let manifest = fs::read_to_string(release.out.join("rsexp.yaml")).unwrap();
    let manifest: Value = serde_yaml::from_str(&manifest).unwrap();
    let spec = &manifest["spec"];
    assert_eq!(manifest["apiVersion"], "krew.googlecontainertools.github.com/v1alpha2");
    assert_eq!((&manifest["kind"], &manifest["metadata"]["name"]), (&"Plugin".into(), &"rsexp".into()));
    assert_eq!(spec["version"], concat!("v", env!("CARGO_PKG_VERSION")));
    // Within what krew shows of them without a warning of its validation, and one line of its search.
    let lines = |field: &str| spec[field].as_str().unwrap().lines().map(str::len).collect::<Vec<_>>();
    assert!(lines("shortDescription").len() == 1 && lines("shortDescription")[0] <= 50);
    assert!(lines("description").iter().chain(&lines("caveats")).all(|length| *length <= 80));
    let platforms = spec["platforms"].as_array().unwrap();
    let chosen: BTreeSet<String> =
        platforms.iter().map(|p| p["selector"]["matchLabels"].to_string()).collect();
    assert_eq!(chosen.len(), platforms.len(), "no two platforms for one system and processor: {chosen:?}");
    for platform in platforms {
        let uri = platform["uri"].as_str().unwrap();
        let file = uri.rsplit('/').next().unwrap();
        assert_eq!(platform["sha256"], sha256(&release.out.join(file)).as_str(), "{file}");
    }
    let of_this =
        |platform: &&Value| platform["uri"].as_str().unwrap().ends_with(&format!("/{}.tar.gz", release.name));
    install_as_krew(release, platforms.iter().find(of_this).expect("this machine's archive"));
}

/// Unpacks, copies what `files` names, and links `bin` into the directory that is on the PATH.
fn install_as_krew(release: &Release, platform: &Value) {
    let home = tempfile::tempdir().unwrap();
    let [unpacked, store, bin] = ["unpacked", "store", "bin"].map(|name| home.path().join(name));
    [&unpacked, &store, &bin].iter().for_each(|directory| fs::create_dir(directory).unwrap());
    ran(Command::new("tar").arg("-xzf").arg(archive(release)).arg("-C").arg(&unpacked));
    for files in platform["files"].as_array().unwrap() {
        let (from, to) = (files["from"].as_str().unwrap(), files["to"].as_str().unwrap());
        let from = unpacked.join(from.strip_suffix("/*").expect("all of a directory"));
        let paths: Vec<PathBuf> = fs::read_dir(from).unwrap().map(|entry| entry.unwrap().path()).collect();
        assert!(!paths.is_empty());
        paths
            .iter()
            .for_each(|path| fs::rename(path, store.join(to).join(path.file_name().unwrap())).unwrap());
    }
    assert!(store.join("LICENSE").exists());
    let program = store.join(platform["bin"].as_str().unwrap());
    assert_eq!(fs::metadata(&program).unwrap().permissions().mode() & 0o111, 0o111);
    symlink(program, bin.join("kubectl-rsexp")).unwrap();
    answers(&bin);
    // As the caveats say.
    fs::copy(store.join("kubectl_complete-rsexp"), bin.join("kubectl_complete-rsexp")).unwrap();
    assert!(rsexp(&bin, &["__complete", "exp"]).starts_with("explain\t"));
}
