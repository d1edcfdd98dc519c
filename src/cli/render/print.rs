//! Writes reports in the wanted format.

use serde::Serialize;
use serde_json::Value;

use super::templates;
use crate::cli::render::output::Look;
use crate::cli::render::yaml as emitter;
use crate::engine::ask::Answers;
use crate::engine::failure::Failure;
use crate::engine::session;
use crate::engine::settings::{Output, Question, Settings};
use crate::objects::OwnerKind;
use crate::report::fleet;
use crate::report::sanitize::{escape, escape_json};
use crate::report::style::Style;
use crate::report::table::{self, Grid, ListOptions, ListRow};
use crate::report::{Report, ReportList, build, text};

/// The text of some reports. In JSON and YAML one report is an object of its own, several are a list; of
/// `list` it takes a target that names one object, so that scripts need not know how many there are.
pub fn reports(answers: &Answers, settings: &Settings, look: Look) -> Result<String, Failure> {
    let reports = answers.reports.as_slice();
    let alone = !matches!(settings.question, Question::List { .. }) || settings.names_one();
    match &settings.output {
        Output::Json => either(reports, alone, &|value| json(value), &|value| json(value)),
        Output::Yaml => either(reports, alone, &|value| yaml(value), &|value| yaml(value)),
        Output::Name => Ok(names(reports)),
        Output::JsonPath(_) | Output::JsonPathAsJson(_) => {
            let document = either(reports, alone, &|one| document(one), &|list| document(list))?;
            templates::print(&settings.output, &document)
        }
        Output::CustomColumns(columns) => {
            templates::table(columns, reports, &settings.table, &mut Grid::default())
        }
        _ => Ok(human(answers, settings, look, &mut Grid::default())),
    }
}

/// The text of reports that changed: rows, or a page each, or JSON on one line each. `grid` are the columns of
/// rows that were written before.
pub fn changed(
    answers: &Answers,
    settings: &Settings,
    look: Look,
    grid: &mut Grid,
) -> Result<String, Failure> {
    let first = grid.is_empty();
    let mut settings = settings.clone();
    settings.table.no_headers |= !first;
    let reports = answers.reports.as_slice();
    match &settings.output {
        Output::Json => reports.iter().map(line).collect(),
        Output::Yaml => reports.iter().map(|report| Ok(format!("---\n{}", yaml(report)?))).collect(),
        Output::Name => Ok(names(reports)),
        Output::JsonPath(_) | Output::JsonPathAsJson(_) => {
            reports.iter().map(|report| templates::print(&settings.output, &document(report)?)).collect()
        }
        Output::CustomColumns(columns) => templates::table(columns, reports, &settings.table, grid),
        _ => Ok(human(answers, &settings, look, grid)),
    }
}

fn line(report: &Report) -> Result<String, Failure> {
    Ok(escape_json(&serde_json::to_string(report)?).into_owned() + "\n")
}

/// JSON for reading and for programs alike.
pub fn json(value: &impl Serialize) -> Result<String, Failure> {
    Ok(escape_json(&serde_json::to_string_pretty(value)?).into_owned() + "\n")
}

/// YAML.
pub fn yaml(value: &impl Serialize) -> Result<String, Failure> {
    Ok(emitter::write(value)?)
}

/// The JSON as a value for templates: they take fields by the order of their names, as kubectl's do.
pub fn document(value: &impl Serialize) -> Result<Value, Failure> {
    let mut value = serde_json::to_value(value)?;
    value.sort_all_objects();
    Ok(value)
}

fn either<T>(
    reports: &[Report],
    alone: bool,
    one: &dyn Fn(&Report) -> Result<T, Failure>,
    several: &dyn Fn(&ReportList) -> Result<T, Failure>,
) -> Result<T, Failure> {
    match reports {
        [report] if alone => one(report),
        _ => several(&build::list(reports.to_vec())),
    }
}

/// `TYPE/NAME` lines as `kubectl get -o name` writes them. Names that the API server would not store
/// are escaped: one that holds a line break must not look like two.
fn names(reports: &[Report]) -> String {
    reports.iter().map(|report| name(report) + "\n").collect()
}

fn name(report: &Report) -> String {
    let kind = match report.object.kind {
        OwnerKind::ReplicationController => "replicationcontroller",
        OwnerKind::ReplicaSet => "replicaset.apps",
    };
    format!("{kind}/{}", escape(&report.object.name))
}

/// For reading: a table, or a page for each report.
fn human(answers: &Answers, settings: &Settings, look: Look, grid: &mut Grid) -> String {
    let wide = settings.output == Output::Wide;
    let style = Style::new(look.colour, look.width);
    let narrow = style.of_text();
    let page: &dyn Fn(&Report) -> String = match settings.question {
        Question::List { .. } => return list(answers, settings, &style, grid),
        Question::Explain => &|report| text::explain(report, &narrow, wide),
        // A timeline is printed as it comes, and of its reports only the verdict.
        Question::Timeline { .. } => &|report| text::verdict(report, &narrow),
        Question::DryRun(_) => &|report| text::dry_run(report, &narrow, wide),
    };
    let pages: Vec<String> = answers.reports.iter().map(page).collect();
    pages.join("\n")
}

/// An input may hold several namespaces without `-A`.
fn spans_namespaces(answers: &Answers, settings: &Settings) -> bool {
    let mut namespaces = answers.reports.iter().map(|report| &report.object.namespace);
    let first = namespaces.next();
    settings.all_namespaces || namespaces.any(|namespace| Some(namespace) != first)
}

fn spans_instants(answers: &Answers) -> bool {
    let mut instants = answers.reports.iter().map(|report| report.as_of);
    let first = instants.next();
    instants.any(|instant| Some(instant) != first)
}

/// The table of `list`. Of a whole cluster it begins with what needs a look, and ends with how many
/// objects there are.
fn list(answers: &Answers, settings: &Settings, style: &Style, grid: &mut Grid) -> String {
    let rows = answers.reports.iter().zip(&answers.rows);
    let rows: Vec<ListRow> = rows.map(|(report, row)| row.beside(report)).collect();
    let options = ListOptions {
        namespaces: spans_namespaces(answers, settings),
        instants: spans_instants(answers),
        ..session::list_options(settings)
    };
    if !settings.is_fleet() || settings.live.follow || options.instants {
        return table::more(&rows, &options, style, grid);
    }
    let shown = of_fleet(rows, settings, &options);
    let mut summary = if options.headers { fleet::summary(&answers.reports) } else { String::new() };
    // Where nothing stands above the counts.
    if shown.is_empty() && !answers.reports.is_empty() && options.headers {
        summary = format!("{} (--all shows them)\n", summary.trim_end());
    }
    table::more(&shown, &options, style, grid) + &summary
}

fn of_fleet<'a>(rows: Vec<ListRow<'a>>, settings: &Settings, options: &ListOptions) -> Vec<ListRow<'a>> {
    let table = &settings.table;
    let sorted = if table.sort_by.is_some() { rows } else { fleet::pressing_first(rows) };
    if table.all {
        return sorted;
    }
    let pressing: Vec<ListRow> = sorted.into_iter().filter(|row| !fleet::is_settled(row)).collect();
    let labels = options.labels || !options.label_columns.is_empty();
    let each_on_its_own = options.wide || options.pods || labels || table.sort_by.is_some();
    if each_on_its_own { pressing } else { fleet::collapsed(pressing) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::template::columns::Columns;
    use crate::report::template::jsonpath::JsonPath;
    use crate::report::{
        API_VERSION, Bounds, EvidenceReport, ExpectationsReport, GateState, ObjectReference, PlanReport,
        Server, Verdict, VersionSource,
    };

    fn report(kind: OwnerKind, name: &str) -> Report {
        let zero = Bounds { min: Some(0), max: Some(0) };
        Report {
            api_version: API_VERSION,
            kind: "ReplicaSetReport",
            as_of: jiff::Timestamp::UNIX_EPOCH,
            server: Server { minor: "1.37".into(), source: VersionSource::Assumed },
            object: ObjectReference {
                api_version: kind.into(),
                kind,
                namespace: "on".into(),
                name: name.into(),
                uid: None,
                resource_version: Some("123".into()),
                generation: Some(1),
                exists: true,
                via: None,
            },
            desired: Some(3),
            active: Some(3),
            diff: Some(0),
            verdict: Verdict::Settled,
            reasons: Vec::new(),
            until: None,
            wake: Vec::new(),
            expectations: ExpectationsReport {
                gate: GateState::None,
                add: zero,
                del: zero,
                set_at: None,
                expires_at: None,
                awaited_deletions: Vec::new(),
            },
            running: None,
            plan: PlanReport::none(),
            syncs: Vec::new(),
            ledger: Vec::new(),
            evidence: EvidenceReport {
                window: None,
                resource_version: None,
                sources: Vec::new(),
                has_log: false,
            },
            degraded: Vec::new(),
        }
    }

    fn printed(count: usize, output: Output) -> String {
        let items = [report(OwnerKind::ReplicaSet, "web"), report(OwnerKind::ReplicationController, "old")]
            .into_iter()
            .take(count);
        let settings = Settings { output, ..Settings::of(Question::Explain) };
        let answers = Answers { reports: items.collect(), ..Answers::default() };
        reports(&answers, &settings, Look { colour: false, width: 80 }).unwrap()
    }

    #[test]
    fn one_report_stands_alone_and_other_counts_are_a_list() {
        let kind = |count| {
            let value: Value = serde_json::from_str(&printed(count, Output::Json)).unwrap();
            value["kind"].as_str().unwrap().to_owned()
        };
        assert_eq!([0, 1, 2].map(kind), ["ReplicaSetReportList", "ReplicaSetReport", "ReplicaSetReportList"]);
    }

    #[test]
    fn json_keeps_the_order_of_fields_and_ends_the_line() {
        let text = printed(1, Output::Json);
        assert!(
            text.starts_with("{\n  \"apiVersion\": \"rsexp.dev/v1\",\n  \"kind\": \"ReplicaSetReport\",\n")
        );
        assert!(text.ends_with("}\n"));
    }

    #[test]
    fn yaml_says_the_same_as_json() {
        let json: Value = serde_json::from_str(&printed(2, Output::Json)).unwrap();
        let yaml = printed(2, Output::Yaml);
        assert!(yaml.contains("namespace: \"on\"\n"), "{yaml}");
        assert_eq!(serde_yaml::from_str::<Value>(&yaml).unwrap(), json);
    }

    #[test]
    fn names_are_those_of_kubectl() {
        assert_eq!(printed(2, Output::Name), "replicaset.apps/web\nreplicationcontroller/old\n");
    }

    /// What is printed of two batches of changes.
    fn followed(output: Output, question: Question) -> String {
        let settings = Settings { output, ..Settings::of(question) };
        let mut grid = Grid::default();
        let look = Look { colour: false, width: 80 };
        let mut batch = |name: &str| {
            let rows = vec![session::Row::default()];
            let answers =
                Answers { reports: vec![report(OwnerKind::ReplicaSet, name)], rows, ..Answers::default() };
            changed(&answers, &settings, look, &mut grid).unwrap()
        };
        batch("web-long") + &batch("b")
    }

    #[test]
    fn followed_json_has_an_object_on_each_line() {
        let text = followed(Output::Json, Question::List { pods: false });
        let names: Vec<Value> = text
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap()["object"]["name"].clone())
            .collect();
        assert_eq!(names, ["web-long", "b"]);
    }

    #[test]
    fn followed_rows_have_one_head_and_keep_their_columns() {
        let columns = Columns::parse("NAME:.object.name,VERDICT:.verdict").unwrap();
        let text = followed(Output::CustomColumns(columns), Question::List { pods: false });
        assert_eq!(text, "NAME       VERDICT\nweb-long   settled\nb          settled\n");
        let text = followed(Output::Text, Question::List { pods: false });
        assert_eq!(text.matches("NAME").count(), 1, "{text}");
        assert_eq!(text.lines().count(), 3, "{text}");
    }

    #[test]
    fn a_template_is_applied_to_each_object_that_is_followed() {
        let template = JsonPath::parse("{.object.name};").unwrap();
        assert_eq!(followed(Output::JsonPath(template), Question::Explain), "web-long;b;");
    }
}
