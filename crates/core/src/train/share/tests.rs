use super::*;
use crate::model::settings::preset;
use crate::train::run::RunLabel;
use gesf_graph::{LoadOptions, OnBadRow, RoleChoice};

fn with(settings: &Settings, key: &str, value: &str) -> Settings {
    let mut changed = settings.clone();
    set(&mut changed, key, value).unwrap();
    changed
}

#[test]
fn a_state_line_round_trips() {
    let start = with(&preset("paper").unwrap(), "seed", "7");
    let (first, second) = (with(&start, "balance", "0.5"), with(&start, "learning_rate", "0.1"));
    let load = LoadOptions {
        labels: Some("who is who.tsv".into()),
        on_bad_row: OnBadRow::Skip,
        roles: RoleChoice { label: Some("the club's".into()), ..RoleChoice::default() },
        ignore_weights: true,
        ..LoadOptions::default()
    };
    let line = StateLine {
        edits: "cut:0-1,label:7=c1+2".into(),
        graph: GraphReference {
            name: "it's my graph #1 @home".to_owned(),
            fingerprint: "00ff".to_owned(),
            load,
        },
        epoch: 120,
        version: Some("1.2.3".to_owned()),
        threads: Some(3),
        settings: start,
        changes: vec![
            Change { epoch: 50, settings: first },
            Change { epoch: 160, settings: second },
        ],
    };
    let text = line.to_string();
    assert_eq!(text.lines().count(), 1);
    assert!(!text.contains('\''), "a shell takes it between quotes: {text}");
    assert_eq!(text.parse(), Ok(line));
}

#[test]
fn a_state_line_without_version_threads_and_options_is_still_read() {
    let line: StateLine = "gesf2 graph=cora#0a epoch=3".parse().unwrap();
    assert_eq!((line.epoch, &line.settings), (3, &Settings::default()));
    assert_eq!(
        (&line.version, line.threads, &line.graph.load),
        (&None, None, &LoadOptions::default())
    );
    assert_eq!(line.made_elsewhere(), None, "nothing is known, nothing is said");
    assert_eq!(line.to_string(), "gesf2 graph=cora#0a epoch=3");
}

#[test]
fn a_state_line_keeps_future_changes_and_contains_no_folder() {
    let settings = Settings::default();
    let changes = [5, 50].map(|epoch| Change { epoch, settings: with(&settings, "epochs", "70") });
    let record = Record {
        version: "1.2.3".into(),
        threads: Some(2),
        graph: "/home/ada/graphs/friends.txt".into(),
        fingerprint: "0f".into(),
        load: LoadOptions { labels: Some("/home/ada/who.tsv".into()), ..LoadOptions::default() },
        settings,
        changes: changes.to_vec(),
        label: RunLabel::default(),
    };
    let line = StateLine::of(&record, 20);
    assert_eq!(line.changes, changes);
    let text = line.to_string();
    assert!(
        text.contains("graph=friends.txt#0f epoch=20 version=1.2.3 threads=2 --labels=who.tsv")
    );
    assert!(!text.contains("ada"), "{text}");
}

#[test]
fn another_version_is_reported_and_a_thread_count_only_where_it_matters() {
    let line: StateLine = "gesf2 graph=cora#0a epoch=3".parse().unwrap();
    let here = line.clone().made_here();
    assert_eq!(here.made_elsewhere(), None);
    let threads = here.threads.unwrap() + 1;
    let other = StateLine { threads: Some(threads), ..here.clone() };
    assert_eq!(other.made_elsewhere(), None, "hop weights are polynomials: the same bits");
    let paper = StateLine { settings: preset("paper").unwrap(), ..other };
    let said = paper.made_elsewhere().unwrap();
    assert!(said.contains(&format!("made with {threads} threads")), "{said}");
    let old = StateLine { version: Some("0.0.1".to_owned()), ..paper };
    let said = old.made_elsewhere().unwrap();
    let expected =
        format!("made by version 0.0.1 with {threads} threads; this is version {VERSION}");
    assert!(said.starts_with(&expected) && said.contains("last bits"), "{said}");
    let old = StateLine { version: Some("0.0.1".to_owned()), ..here };
    assert!(old.made_elsewhere().unwrap().starts_with("made by version 0.0.1; this is"));
}

#[test]
fn errors_show_what_was_found() {
    let said = |text: &str| text.parse::<StateLine>().unwrap_err();
    assert!(said("hello").contains("gesf2"));
    assert!(said("gesf1 graph=a epoch=3").contains("version 0.1"));
    assert!(said("gesf2 epoch=3").contains("graph=NAME"));
    assert!(said("gesf2 graph=a epoch=x").contains("whole number"));
    assert!(said("gesf2 graph=a threads=many").contains("`threads=many`"));
    assert!(said("gesf2 graph=a --format=foo").contains("found `foo`, expected one of"));
    assert!(said("gesf2 graph=a balanse=3").contains("balance"));
    assert!(said("gesf2 graph=a @5 balance=1 @5 balance=2").contains("order"));
}
