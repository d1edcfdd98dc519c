//! Logs between what is observed.

use super::*;
use crate::objects::Resource;

/// Hands what was observed to whoever looks, and wants all of it.
#[derive(Default)]
struct Times(Vec<Option<jiff::Timestamp>>);

impl Sink for Times {
    fn observe(&mut self, observation: Observation) -> crate::source::Flow {
        self.0.push(observation.at);
        crate::source::Flow::Continue
    }
}

#[test]
fn a_log_that_grows_beside_a_window_is_read_on() {
    use std::io::Write;
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("kcm.log");
    let mut file = std::fs::File::create(&path).unwrap();
    let mut write = |second: u8| {
        writeln!(file, "I0102 03:04:{second:02}.000000       1 x.go:1] \"Adding\" replicaSet=\"shop/web\"")
            .unwrap();
    };
    let at = |second: u8| format!("2026-01-02T03:04:{second:02}Z").parse::<jiff::Timestamp>().ok();
    let seen = |at| Observation { at, resource: Resource::Pods, what: What::Gap(String::new()) };
    let (mut times, mut notes) = (Times::default(), Notes::default());
    let options = LogOptions { files: vec![path.into()], growing: true, ..LogOptions::default() };
    let mut merge = Merge::new(&mut times, options, Vec::new());
    write(1);
    write(9);
    merge.observe(seen(at(5)));
    write(10);
    merge.idle(at(12).unwrap());
    write(14);
    merge.observe(seen(at(15)));
    // What is later than the window is not read.
    write(20);
    merge.finish(&mut notes);
    assert_eq!(times.0, [1, 5, 9, 10, 14, 15].map(at));
    assert_eq!((notes.problems.len(), notes.logs[0].used, notes.logs[0].later), (0, 4, false));
}

#[test]
fn the_last_line_of_a_file_does_not_wait_for_more() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("kcm.log");
    std::fs::write(&path, format!("{HEAD}sync \"shop/web\" failed with x\ny")).unwrap();
    let at = |time: &str| time.parse::<jiff::Timestamp>().ok();
    let (mut times, mut notes) = (Times::default(), Notes::default());
    let options = LogOptions { files: vec![path.into()], ..LogOptions::default() };
    let mut merge = Merge::new(&mut times, options, Vec::new());
    let pod = Observation { at: at("2026-01-02T04:00:00Z"), resource: Resource::Pods, what: What::End };
    merge.observe(pod);
    merge.finish(&mut notes);
    assert_eq!(times.0, [at("2026-01-02T03:04:05.678901Z"), at("2026-01-02T04:00:00Z")]);
}
