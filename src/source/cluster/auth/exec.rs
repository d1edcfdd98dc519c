//! Exec credential plugins, run once for a connection, and again when the credentials run out. kube would run one three times, and print its output when
//! it fails.

use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use jiff::Timestamp;
use kube::config::{AuthInfo, Cluster, ExecAuthCluster, ExecConfig, ExecInteractiveMode};
use serde::Deserialize;

use crate::source::cluster::auth::error::PluginError;
use crate::source::cluster::connect::environment::Environment;
use crate::source::cluster::text::os_error;
use crate::source::cluster::text::shown;

const GROUP: &str = "client.authentication.k8s.io/";
const VERSIONS: [&str; 2] = ["v1", "v1beta1"];

/// What a plugin answers.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Credential {
    #[serde(default)]
    api_version: String,
    status: Option<Status>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Status {
    token: Option<String>,
    client_certificate_data: Option<String>,
    client_key_data: Option<String>,
    expiration_timestamp: Option<String>,
}

/// Replaces the plugin of a user by what it answers. What it writes to standard error goes to `complaints`
/// as it comes, escaped: it may be a question. Gives back when the credentials run out, if they do.
pub fn credentials(
    user: &mut AuthInfo,
    cluster: &Cluster,
    environment: &Environment,
    complaints: impl Write + Send + 'static,
) -> Result<Option<Timestamp>, PluginError> {
    let Some(plugin) = user.exec.take() else { return Ok(None) };
    if has_own(user) {
        return Ok(None);
    }
    let command = plugin.command.clone().filter(|command| !command.is_empty());
    let command = command.ok_or(PluginError::NoCommand)?;
    let version = version(&plugin)?;
    let interactive = interactive(&plugin, environment)?;
    let info = info(&plugin, version, interactive, cluster)?;
    let mut process = Command::new(&command);
    process.args(plugin.args.iter().flatten()).env_clear().envs(&environment.variables);
    process.envs(variables(&plugin)).env("KUBERNETES_EXEC_INFO", info);
    process.stdin(if interactive { Stdio::inherit() } else { Stdio::null() });
    let child = process.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let child = child.map_err(|error| not_started(&command, &plugin, error))?;
    let (answer, status) = run(child, complaints).map_err(|error| not_run(&command, error))?;
    if !status.success() {
        return Err(PluginError::Failed { command: shown(&command), ending: ending(status) });
    }
    take(user, &answer, version)
}

/// A token or password of the user's own wins over a plugin.
fn has_own(user: &AuthInfo) -> bool {
    user.token.is_some()
        || user.token_file.is_some()
        || user.username.is_some()
        || user.auth_provider.is_some()
}

fn not_run(command: &str, source: io::Error) -> PluginError {
    PluginError::Run { command: shown(command), why: os_error(&source), source }
}

fn version(plugin: &ExecConfig) -> Result<&'static str, PluginError> {
    let given = plugin.api_version.as_deref().unwrap_or_default();
    let known = given.strip_prefix(GROUP).and_then(|given| VERSIONS.iter().find(|known| **known == given));
    known.copied().ok_or_else(|| PluginError::UnknownVersion { given: shown(given) })
}

/// Whether the plugin may ask on standard input.
fn interactive(plugin: &ExecConfig, environment: &Environment) -> Result<bool, PluginError> {
    match plugin.interactive_mode {
        Some(ExecInteractiveMode::Never) => Ok(false),
        Some(ExecInteractiveMode::Always) if !environment.terminal => Err(PluginError::NoTerminal),
        _ => Ok(environment.terminal),
    }
}

/// The plugin's input: the version that it is to answer in, and the cluster if it wants it.
fn info(
    plugin: &ExecConfig,
    version: &str,
    interactive: bool,
    cluster: &Cluster,
) -> Result<String, PluginError> {
    let mut spec = serde_json::json!({ "interactive": interactive });
    if plugin.provide_cluster_info {
        let unusable = |why: &dyn std::fmt::Display| PluginError::ClusterInfo(shown(&why.to_string()));
        let cluster = ExecAuthCluster::try_from(cluster).map_err(|error| unusable(&error))?;
        spec["cluster"] = serde_json::to_value(cluster).map_err(|error| unusable(&error))?;
    }
    let api_version = format!("{GROUP}{version}");
    Ok(serde_json::json!({ "apiVersion": api_version, "kind": "ExecCredential", "spec": spec }).to_string())
}

/// The variables that the kubeconfig sets for the plugin.
fn variables(plugin: &ExecConfig) -> impl Iterator<Item = (&str, &str)> {
    let pairs = plugin.env.iter().flatten();
    pairs.filter_map(|pair| Some((pair.get("name")?.as_str(), pair.get("value")?.as_str())))
}

fn not_started(command: &str, plugin: &ExecConfig, error: io::Error) -> PluginError {
    let name = shown(command);
    if error.kind() != io::ErrorKind::NotFound {
        return not_run(command, error);
    }
    let hint = plugin.install_hint.as_deref().map(one_line).filter(|hint| !hint.is_empty());
    let hint = hint.map_or_else(String::new, |hint| format!("; to install it: {hint}"));
    let file =
        Path::new(command).file_name().map_or_else(|| name.clone(), |file| shown(&file.to_string_lossy()));
    PluginError::NotFound { command: name, file, hint }
}

/// A text of several lines as one.
fn one_line(text: &str) -> String {
    shown(&text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Waits for the plugin and passes its complaints on. Their end is not waited for: a browser that a plugin
/// has opened keeps standard error open.
fn run(mut child: Child, mut complaints: impl Write + Send + 'static) -> io::Result<(Vec<u8>, ExitStatus)> {
    const REST: Duration = Duration::from_millis(200);
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    let (done, finished) = mpsc::channel::<()>();
    std::thread::spawn(move || {
        if let Some(stderr) = stderr {
            pass_on(stderr, &mut complaints);
        }
        drop(done);
    });
    let mut answer = Vec::new();
    if let Some(mut stdout) = stdout {
        stdout.read_to_end(&mut answer)?;
    }
    let status = child.wait()?;
    let _ = finished.recv_timeout(REST);
    Ok((answer, status))
}

/// Copies text as it comes, line ends as they are, everything else that moves a cursor escaped. Where it
/// cannot be written it is dropped.
fn pass_on(mut from: impl Read, to: &mut impl Write) {
    let mut buffer = [0; 4096];
    while let Ok(length @ 1..) = from.read(&mut buffer) {
        let text = String::from_utf8_lossy(&buffer[..length]);
        for line in text.split_inclusive('\n') {
            let (line, end) = line.strip_suffix('\n').map_or((line, ""), |line| (line, "\n"));
            let line = line.strip_suffix('\r').unwrap_or(line);
            // A trailing space belongs to a question.
            let spaces = &line[line.trim_end_matches(' ').len()..];
            let _ = write!(to, "{}{spaces}{end}", shown(line));
        }
        let _ = to.flush();
    }
}

fn ending(status: ExitStatus) -> String {
    match status.code() {
        Some(code) => format!("failed with exit code {code}"),
        None => format!("failed: {status}"),
    }
}

/// Reads the answer into the user. Nothing of it is ever shown.
fn take(user: &mut AuthInfo, answer: &[u8], version: &str) -> Result<Option<Timestamp>, PluginError> {
    let credential: Option<Credential> =
        serde_json::from_slice(answer).ok().or_else(|| serde_yaml::from_slice(answer).ok());
    let credential = credential.ok_or(PluginError::NotACredential)?;
    let wanted = format!("{GROUP}{version}");
    if credential.api_version != wanted {
        return Err(PluginError::OtherVersion { wanted, given: shown(&credential.api_version) });
    }
    let status = credential.status.ok_or(PluginError::NoStatus)?;
    let filled = |text: Option<String>| text.filter(|text| !text.is_empty());
    let certificate = filled(status.client_certificate_data);
    let key = filled(status.client_key_data);
    user.token = filled(status.token).map(Into::into);
    match (certificate, key) {
        (Some(certificate), Some(key)) => {
            user.client_certificate_data = Some(BASE64.encode(certificate));
            user.client_key_data = Some(BASE64.encode(key).into());
        }
        (None, None) if user.token.is_none() => {
            return Err(PluginError::NoCredential);
        }
        (None, None) => {}
        _ => return Err(PluginError::HalfCertificate),
    }
    Ok(status.expiration_timestamp.and_then(|time| time.parse().ok()))
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::sync::{Arc, Mutex};
    use std::time::Instant;

    use super::*;

    fn passed_on(text: &str) -> String {
        let mut shown = Vec::new();
        pass_on(text.as_bytes(), &mut shown);
        String::from_utf8(shown).unwrap()
    }

    #[test]
    fn complaints_keep_their_lines_and_nothing_else() {
        assert_eq!(passed_on("open https://x\r\nand wait\n\nCode: "), "open https://x\nand wait\n\nCode: ");
        assert_eq!(passed_on("\u{1b}[2Jred\u{202e}\n"), "\\u{1b}[2Jred\\u{202e}\n");
        assert_eq!(passed_on(""), "");
    }

    #[derive(Clone, Default)]
    struct Kept(Arc<Mutex<Vec<u8>>>);

    impl Write for Kept {
        fn write(&mut self, text: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(text)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn what_a_plugin_leaves_running_is_not_waited_for() {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", "sleep 5 >/dev/null & echo opened >&2; echo answer; exit 7"]);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let (begun, kept) = (Instant::now(), Kept::default());
        let (answer, status) = run(child, kept.clone()).unwrap();
        assert!(begun.elapsed() < Duration::from_secs(4));
        assert_eq!((answer.as_slice(), status.code()), (&b"answer\n"[..], Some(7)));
        assert_eq!(*kept.0.lock().unwrap(), b"opened\n");
    }
}
