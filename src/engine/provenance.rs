//! Where answers come from, whatever the source is: for the evidence of the reports.

use crate::engine::logs;
use crate::engine::settings::Settings;
use crate::reconstruct::Reconstruction;
use crate::report::sentences::Lacking;
use crate::report::{Degraded, VersionSource};
use crate::source::cluster::{Closed, LiveNotes};
use crate::source::{Input, Notes, Unread};

/// See the module.
#[derive(Debug, Clone)]
pub struct Provenance {
    /// Where the version comes from, if the source has it.
    pub version_source: VersionSource,
    /// The sources, one line each.
    pub sources: Vec<String>,
    /// Whether a log of the controller is among them.
    pub has_log: bool,
    /// What could not be read, and what is lost by that.
    pub degraded: Vec<Degraded>,
    /// What the user should know, one line each.
    pub warnings: Vec<String>,
    /// What could not be used, one line each.
    pub problems: Vec<String>,
}

impl Provenance {
    /// Files, recordings and logs.
    pub fn of_files(notes: &Notes, settings: &Settings, reconstruction: &Reconstruction) -> Provenance {
        let is_log = |input: &&Input| notes.logs.iter().any(|log| log.input == **input);
        let inputs = settings.inputs.iter().filter(|input| !is_log(input)).map(Input::to_string);
        let logs = notes.logs.iter().map(|log| logs::source(log, notes.recording));
        let ignored: Vec<String> =
            notes.ignored.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
        let passed_over = (!ignored.is_empty()).then(|| format!("passed over: {}", ignored.join(", ")));
        let warning = |why: &String| format!("the evidence is incomplete: {why}");
        let doubt = |why: &String| format!("the evidence may mislead: {why}");
        let lacking = lacking(notes, reconstruction);
        let no_pods = lacking.iter().filter(|lacking| **lacking == Lacking::Pods);
        let no_pods = no_pods.map(|lacking| lacking.consequence().to_owned());
        Provenance {
            version_source: VersionSource::Recording,
            sources: inputs.chain(logs).chain(passed_over).collect(),
            has_log: !notes.logs.is_empty(),
            warnings: notes
                .incomplete
                .iter()
                .map(warning)
                .chain(notes.doubts.iter().map(doubt))
                .chain(no_pods)
                .chain(too_late(notes, settings, reconstruction))
                .chain(notes.logs.iter().flat_map(logs::warnings))
                .collect(),
            degraded: lacking.iter().map(|lacking| unrecorded(*lacking)).collect(),
            problems: notes.problems.iter().map(ToString::to_string).collect(),
        }
    }

    /// A live cluster that is still being read.
    pub fn of_open_cluster() -> Provenance {
        Provenance {
            version_source: VersionSource::Cluster,
            sources: vec!["the cluster, being watched".into()],
            has_log: false,
            degraded: Vec::new(),
            warnings: Vec::new(),
            problems: Vec::new(),
        }
    }

    /// A live cluster, and logs beside it.
    pub fn of_cluster(notes: &LiveNotes, of_logs: &Notes, place: &str) -> Provenance {
        let resources: Vec<&str> = notes.resources.iter().map(|resource| resource.as_str()).collect();
        let how = match &notes.closed_because {
            Closed::Snapshot => "listed once".to_owned(),
            Closed::Timer => "listed and watched".to_owned(),
            Closed::Enough => "listed and watched until nothing more could change the answer".to_owned(),
            Closed::Interrupted => "listed and watched until Ctrl-C".to_owned(),
            Closed::TimedOut => "listed and watched until the timeout".to_owned(),
            Closed::Cut(why) => format!("listed and watched until the watches broke: {why}"),
        };
        Provenance {
            version_source: VersionSource::Cluster,
            sources: [format!("{} of {place}: {how}", resources.join(", "))]
                .into_iter()
                .chain(of_logs.logs.iter().map(|log| logs::source(log, true)))
                .collect(),
            has_log: !of_logs.logs.is_empty(),
            degraded: notes
                .degraded
                .iter()
                .map(|Unread { what, why, denied }| Degraded {
                    what: what.clone(),
                    why: why.clone(),
                    denied: *denied,
                })
                .collect(),
            warnings: [notes.interruptions.clone(), of_logs.logs.iter().flat_map(logs::warnings).collect()]
                .concat(),
            problems: [notes.problems.clone(), of_logs.problems.iter().map(ToString::to_string).collect()]
                .concat(),
        }
    }
}

/// Instants asked for after the end of the recording.
fn too_late(notes: &Notes, settings: &Settings, reconstruction: &Reconstruction) -> Vec<String> {
    let end = reconstruction.last_at().filter(|_| notes.recording && !notes.goes_on);
    let late = settings.at.iter().filter_map(|at| Some((at, end?))).filter(|(at, end)| *at > end);
    late.map(|(at, end)| {
        format!("--at {at} is after the recording, which ends at {end}: what came after is unknown")
    })
    .collect()
}

/// What the input lacks, and what is lost by that.
fn lacking(notes: &Notes, reconstruction: &Reconstruction) -> Vec<Lacking> {
    let cache = &reconstruction.view().cache;
    let no_pods = cache.pods().next().is_none() && cache.replica_sets().any(|rs| rs.status.replicas > 0);
    let recorded = |lacking: Lacking| notes.resources.iter().any(|resource| resource == lacking.resource());
    let unrecorded = [Lacking::Events, Lacking::Leases, Lacking::Quotas]
        .into_iter()
        .filter(|lacking| !notes.resources.is_empty() && !recorded(*lacking));
    no_pods.then_some(Lacking::Pods).into_iter().chain(unrecorded).collect()
}

fn unrecorded(lacking: Lacking) -> Degraded {
    Degraded { what: lacking.resource().into(), why: lacking.consequence().into(), denied: false }
}
