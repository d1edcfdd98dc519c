//! A connection that is logged in, and stays so while a watch goes on for hours.

use std::io::Write;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use kube::client::RustlsTlsError;
use tokio::sync::Mutex;

use crate::source::cluster::auth::error::{PluginError, UserError};
use crate::source::cluster::auth::exec;
use crate::source::cluster::auth::user;
use crate::source::cluster::connect::config::Resolved;
use crate::source::cluster::connect::environment::Environment;
use crate::source::cluster::connect::http;
use crate::source::cluster::error::ClusterError;
use crate::source::cluster::text::shown;

/// Credentials that are over already when they come (the clocks differ) are kept for at least this long.
const LEAST: Duration = Duration::from_secs(1);

/// A login, renewed when the credentials of a plugin run out.
pub struct Login {
    resolved: Resolved,
    environment: Environment,
    session: Mutex<Session>,
}

struct Session {
    client: kube::Client,
    since: Instant,
    /// When the credentials run out, if they do.
    until: Option<Timestamp>,
}

impl Session {
    fn is_over(&self) -> bool {
        self.until.is_some_and(|until| until <= Timestamp::now()) && self.since.elapsed() >= LEAST
    }
}

impl Login {
    /// Logs in; the credential plugin runs now, if there is one.
    pub async fn new(mut resolved: Resolved, environment: Environment) -> Result<Login, ClusterError> {
        resolved.config.auth_info = user::identity(&resolved.selection, &resolved.config.cluster_url)?;
        let session = Mutex::new(open(&resolved, &environment).await?);
        Ok(Login { resolved, environment, session })
    }

    /// The client to ask with.
    pub async fn client(&self) -> Result<kube::Client, ClusterError> {
        let mut session = self.session.lock().await;
        if session.is_over() {
            *session = open(&self.resolved, &self.environment).await?;
        }
        Ok(session.client.clone())
    }
}

async fn open(resolved: &Resolved, environment: &Environment) -> Result<Session, ClusterError> {
    let mut config = resolved.config.clone();
    let mut until = None;
    if config.auth_info.exec.is_some() {
        (config.auth_info, until) = run_plugin(resolved, environment).await?;
    }
    user::sendable(&config.auth_info)?;
    let client = http::client(config).map_err(|error| unusable(&error))?;
    Ok(Session { client, since: Instant::now(), until })
}

/// Runs the credential plugin, off the thread that everything else runs on.
async fn run_plugin(
    resolved: &Resolved,
    environment: &Environment,
) -> Result<(kube::config::AuthInfo, Option<Timestamp>), ClusterError> {
    let (mut user, cluster) = (resolved.config.auth_info.clone(), resolved.selection.cluster.clone());
    let environment = environment.clone();
    let work = tokio::task::spawn_blocking(move || {
        let complaints: Box<dyn Write + Send> =
            if environment.quiet { Box::new(std::io::sink()) } else { Box::new(std::io::stderr()) };
        let until = exec::credentials(&mut user, &cluster, &environment, complaints)?;
        Ok((user, until))
    });
    work.await.unwrap_or_else(|_| Err(PluginError::GivenUp.into()))
}

/// kube cannot connect with what is configured. Its own texts may hold what a plugin has printed, or the
/// bytes of a key.
fn unusable(error: &kube::Error) -> UserError {
    match error {
        kube::Error::Auth(_) => UserError::Unusable,
        kube::Error::RustlsTls(RustlsTlsError::InvalidIdentityPem(_)) => UserError::InvalidCertificate,
        other => UserError::Client(shown(&other.to_string())),
    }
}
