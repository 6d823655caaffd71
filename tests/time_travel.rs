//! Going back in a run, branching, and resuming after a crash: always the same bits
//! as the first time.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use gesf_tui::graph::{GraphReference, LoadOptions, load};
use gesf_tui::model::PreparedGraph;
use gesf_tui::model::settings::{SettingChange, Settings, TABLE, set};
use gesf_tui::spectral::Cancel;
use gesf_tui::train::run::{Left, RunFolder, RunLabel, metrics, saved_runs};
use gesf_tui::train::{
    Change, CheckpointHistory, Event, Phase, ReplayPlan, SaveTarget, Scalars, Snapshot, Start,
    StateLine, Trainer, TrainerState, TrainingCommand, Worker,
};

const PATIENCE: Duration = Duration::from_secs(60);
const GRAPH: &str = "sample_graphs/karate";

fn settings() -> Settings {
    Settings { epochs: 60, ..Settings::default() }
}

fn with(settings: &Settings, key: &str, value: &str) -> Settings {
    let mut changed = settings.clone();
    set(&mut changed, key, value).unwrap();
    changed
}

fn start(keep: Option<&Path>) -> Start {
    let source = || {
        let graph = load(GRAPH.as_ref(), &LoadOptions::default());
        graph.map(|(graph, _)| Arc::new(graph)).map_err(|error| error.to_string())
    };
    let keep = keep.map(|folder| SaveTarget {
        folder: folder.to_owned(),
        graph: GRAPH.into(),
        load: LoadOptions::default(),
        most_runs: None,
    });
    Start { paused: true, keep, ..Start::new(Box::new(source), settings()) }
}

/// A training thread and all its events.
struct Watched {
    worker: Worker,
    told: Vec<Event>,
}

impl Watched {
    fn new(start: Start) -> Self {
        let mut watched = Self { worker: Worker::start(start, || {}).unwrap(), told: Vec::new() };
        watched.rest();
        watched
    }

    /// Collects events until training pauses; returns its snapshot.
    fn rest(&mut self) -> Arc<Snapshot> {
        loop {
            let event = self.worker.wait(PATIENCE).expect("an event in good time");
            let rests = matches!(event, Event::Phase(Phase::Paused | Phase::Finished));
            if let Event::Failed(why) = &event {
                panic!("{why}");
            }
            self.told.push(event);
            if rests {
                return self.worker.snapshot().expect("a snapshot of the state it rests in");
            }
        }
    }

    fn tell(&mut self, command: TrainingCommand) -> Arc<Snapshot> {
        self.worker.send(command);
        self.rest()
    }

    /// Changes settings while training is paused.
    fn set(&mut self, settings: &Settings) {
        let own = TABLE
            .iter()
            .map(|setting| SettingChange { key: setting.key, value: (setting.get)(settings) });
        self.worker.send(TrainingCommand::Set(own.collect()));
        loop {
            let event = self.worker.wait(PATIENCE).expect("an event in good time");
            let changed = matches!(event, Event::Changed { .. });
            self.told.push(event);
            if changed {
                return;
            }
        }
    }

    fn epochs(&self) -> Vec<Scalars> {
        let epoch =
            |event: &Event| if let Event::Epoch(own) = event { Some(own.clone()) } else { None };
        self.told.iter().filter_map(epoch).collect()
    }
}

fn bits(state: &TrainerState) -> Vec<u32> {
    state.parameters.iter().flat_map(|own| own.values.iter().map(|value| value.to_bits())).collect()
}

#[test]
fn every_restored_epoch_has_the_original_bits_with_changes_on_the_way() {
    let mut watched = Watched::new(start(None));
    let mut first = vec![bits(&watched.tell(TrainingCommand::GoTo(0)).state)];
    for epoch in 0..40 {
        match epoch {
            13 => watched.set(&with(&settings(), "balance", "2")),
            14 => watched.set(&with(&settings(), "learning_rate", "0.05")),
            29 => watched.set(&with(&settings(), "weight_penalty", "0.01")),
            _ => {}
        }
        first.push(bits(&watched.tell(TrainingCommand::Step).state));
    }
    for epoch in [40, 0, 39, 1, 13, 12, 14, 15, 29, 30, 28, 7, 8, 9, 40] {
        let there = watched.tell(TrainingCommand::GoTo(epoch));
        assert_eq!(there.scalars.epoch, epoch);
        assert_eq!(bits(&there.state), first[epoch], "epoch {epoch}");
    }
    // Trained again from the middle, it ends the same, and each epoch is reported
    // once.
    watched.tell(TrainingCommand::GoTo(21));
    let end = watched.tell(TrainingCommand::Run(19));
    assert_eq!(bits(&end.state), first[40]);
    let told: Vec<usize> = watched.epochs().iter().map(|own| own.epoch).collect();
    assert_eq!(told, (0..40).collect::<Vec<_>>());
}

#[test]
fn a_history_without_room_for_checkpoints_trains_again_from_the_start() {
    let graph = Arc::new(load(GRAPH.as_ref(), &LoadOptions::default()).unwrap().0);
    let prepared =
        PreparedGraph::prepare(&graph, &settings(), None, &Cancel::default(), &mut |_| {}).unwrap();
    let mut trainer = Trainer::new(prepared.clone(), settings()).unwrap();
    let history = CheckpointHistory::new(settings(), 0);
    let mut views = Vec::new();
    for _ in 0..12 {
        views.push(bits(&trainer.view().unwrap()));
        trainer.step().unwrap();
    }
    for epoch in [5, 11, 0] {
        let anew = |settings: &Settings| Trainer::new(prepared.clone(), settings.clone());
        history.travel(&mut trainer, epoch, &Cancel::default(), anew).unwrap();
        assert_eq!(bits(&trainer.view().unwrap()), views[epoch]);
    }
}

#[test]
fn a_change_at_an_earlier_epoch_starts_a_branch_and_both_branches_stay() {
    let mut watched = Watched::new(start(None));
    let end = watched.tell(TrainingCommand::Run(30));
    watched.tell(TrainingCommand::GoTo(10));
    watched.set(&with(&settings(), "balance", "0.5"));
    let branched = watched.told.iter().find_map(|event| match event {
        Event::Branched { line, parent, epoch } => Some((*line, *parent, *epoch)),
        _ => None,
    });
    let (branch, trunk, epoch) = branched.expect("a branch is told");
    assert_eq!(epoch, 10);
    let other = watched.tell(TrainingCommand::Run(20));
    assert_ne!(bits(&other.state), bits(&end.state));
    assert_eq!(bits(&watched.tell(TrainingCommand::Switch(trunk)).state), bits(&end.state));
    assert_eq!(bits(&watched.tell(TrainingCommand::Switch(branch)).state), bits(&other.state));
    // The branch shares the history of its parent.
    let before = watched.tell(TrainingCommand::GoTo(9));
    watched.tell(TrainingCommand::Switch(trunk));
    assert_eq!(bits(&watched.tell(TrainingCommand::GoTo(9)).state), bits(&before.state));
    // A dropped branch is gone; the current one stays.
    watched.worker.send(TrainingCommand::Forget(branch));
    watched.worker.send(TrainingCommand::Forget(trunk));
    watched.worker.send(TrainingCommand::Switch(branch));
    assert_eq!(bits(&watched.tell(TrainingCommand::GoTo(30)).state), bits(&end.state));
}

#[test]
fn a_run_that_was_not_closed_is_found_and_resumes_bit_for_bit() {
    let shelf = tempfile::tempdir().unwrap();
    let changed = with(&settings(), "balance", "3");
    let mut watched = Watched::new(start(Some(shelf.path())));
    watched.tell(TrainingCommand::Run(20));
    watched.set(&changed);
    watched.tell(TrainingCommand::Run(10));
    let path = watched.told.iter().find_map(|event| match event {
        Event::Saved(path, _) => Some(path.clone()),
        _ => None,
    });
    let path = path.expect("the run is kept");
    watched.tell(TrainingCommand::Run(30));
    // The thread saves a run after it reported the pause.
    let end = watched.tell(TrainingCommand::GoTo(60));
    let figures = watched.epochs();
    assert_eq!(saved_runs(shelf.path())[0].left, Left::InUse);
    // As after a crash: the lock file exists, but no process holds it.
    let crashed = tempfile::tempdir().unwrap();
    let copy = crashed.path().join("1");
    std::fs::create_dir_all(copy.join("embeddings")).unwrap();
    for file in ["run.toml", "metrics.jsonl", "model.safetensors", "in-use"] {
        std::fs::copy(path.join(file), copy.join(file)).unwrap();
    }
    assert_eq!(saved_runs(crashed.path())[0].left, Left::Crashed);
    let mut again =
        Watched::new(Start { resume: Some(copy.clone()), ..start(Some(crashed.path())) });
    let told: Vec<Scalars> = again.epochs();
    assert!(told == figures, "its past is told again: {} of {}", told.len(), figures.len());
    let there = again.tell(TrainingCommand::GoTo(60));
    assert_eq!(bits(&there.state), bits(&end.state));
    let early = again.tell(TrainingCommand::GoTo(25));
    assert_eq!(bits(&watched.tell(TrainingCommand::GoTo(25)).state), bits(&early.state));
    again.worker.finish();
    assert_eq!(saved_runs(crashed.path())[0].left, Left::InOrder);
    assert!(metrics(&copy).unwrap() == figures);
    watched.worker.finish();
}

#[test]
fn a_saved_run_is_loaded_beside_the_current_branch() {
    let shelf = tempfile::tempdir().unwrap();
    let mut first = Watched::new(start(Some(shelf.path())));
    let end = first.tell(TrainingCommand::Run(12));
    first.worker.finish();
    let saved = saved_runs(shelf.path())[0].path.clone();
    let mut watched = Watched::new(start(Some(shelf.path())));
    let line = watched.tell(TrainingCommand::Run(5)).line;
    // A run that another program holds is refused, and the branch stays current.
    let test = RunFolder::open(&saved).unwrap();
    watched.worker.send(TrainingCommand::TakeUp(saved.clone()));
    let refused = watched.worker.wait(PATIENCE);
    assert!(matches!(&refused, Some(Event::Failed(why)) if why.contains("another program")));
    let still = watched.rest();
    assert_eq!((still.line, still.state.epoch), (line, 5));
    test.0.close();
    let taken = watched.tell(TrainingCommand::TakeUp(saved.clone()));
    assert_eq!(bits(&taken.state), bits(&end.state));
    let label = RunLabel { name: "twelve".into(), ..RunLabel::default() };
    watched.worker.send(TrainingCommand::Label(taken.line, label.clone()));
    let back = watched.tell(TrainingCommand::Switch(line));
    assert_eq!((back.line, back.state.epoch), (line, 5));
    assert_eq!(RunFolder::record(&saved).unwrap().label, label);
    watched.worker.finish();
}

#[test]
fn a_saved_branch_is_a_complete_run() {
    let shelf = tempfile::tempdir().unwrap();
    let mut watched = Watched::new(start(Some(shelf.path())));
    watched.tell(TrainingCommand::Run(20));
    watched.tell(TrainingCommand::GoTo(5));
    watched.set(&with(&settings(), "balance", "0.5"));
    let end = watched.tell(TrainingCommand::Run(10));
    watched.worker.finish();
    let runs = saved_runs(shelf.path());
    assert_eq!(runs.len(), 2);
    let branch = runs.iter().find(|run| metrics(&run.path).unwrap().len() == 15).expect("a branch");
    let mut again =
        Watched::new(Start { resume: Some(branch.path.clone()), ..start(Some(shelf.path())) });
    assert_eq!(bits(&again.tell(TrainingCommand::GoTo(15)).state), bits(&end.state));
    // Trained from the start it applies the change at the same epoch.
    again.tell(TrainingCommand::GoTo(0));
    assert_eq!(bits(&again.tell(TrainingCommand::Run(15)).state), bits(&end.state));
    again.worker.finish();
}

#[test]
fn a_state_line_restores_the_same_bits() {
    let mut watched = Watched::new(start(None));
    watched.tell(TrainingCommand::Run(12));
    let changed = with(&settings(), "balance", "3");
    watched.set(&changed);
    let there = watched.tell(TrainingCommand::Run(9));
    let line = StateLine {
        edits: String::new(),
        graph: GraphReference { name: "karate".to_owned(), ..GraphReference::default() },
        epoch: 21,
        version: None,
        threads: None,
        settings: settings(),
        changes: vec![Change { epoch: 12, settings: changed.clone() }],
    };
    let line: StateLine = line.to_string().parse().unwrap();
    let plan = ReplayPlan { epoch: line.epoch, changes: line.changes };
    let again = Start { settings: line.settings, plan: Some(plan), ..start(None) };
    let mut again = Watched::new(again);
    assert_eq!(again.epochs().len(), 21);
    let told = |event: &Event| matches!(event, Event::Changed { epoch: 12, settings } if **settings == changed);
    assert!(again.told.iter().any(told), "the change is told where it comes into force");
    assert_eq!(bits(&again.tell(TrainingCommand::GoTo(21)).state), bits(&there.state));
}

#[test]
fn going_back_can_be_cancelled_and_leaves_the_model_at_a_valid_epoch() {
    let mut watched = Watched::new(start(None));
    watched.tell(TrainingCommand::Run(60));
    // A cancellation while idle does not affect the next job.
    watched.worker.interrupt();
    assert_eq!(watched.tell(TrainingCommand::GoTo(30)).state.epoch, 30);
    watched.worker.send(TrainingCommand::GoTo(59));
    watched.worker.interrupt();
    let stands = watched.rest();
    assert!(stands.state.epoch <= 59);
    // The model is valid at any epoch.
    let end = watched.tell(TrainingCommand::GoTo(60));
    assert_eq!(end.state.epoch, 60);
    watched.worker.finish();
}

/// A plan with a change on the way, one at its end and one after it.
#[test]
fn a_run_beyond_the_limit_trains_unsaved_and_nothing_is_deleted() {
    let home = tempfile::tempdir().unwrap();
    let shelf = home.path().join("karate");
    let limited = || {
        let mut start = start(Some(&shelf));
        start.keep.as_mut().unwrap().most_runs = Some(2);
        start
    };
    let mut reasons = Vec::new();
    for _ in 0..3 {
        let mut watched = Watched::new(limited());
        assert_eq!(watched.tell(TrainingCommand::Run(2)).scalars.epoch, 2);
        reasons.extend(watched.told.iter().filter_map(|event| match event {
            Event::NotSaved(why) => Some(why.clone()),
            _ => None,
        }));
        watched.worker.finish();
    }
    assert_eq!(saved_runs(&shelf).len(), 2);
    assert!(reasons.len() == 1 && reasons[0].starts_with("2 runs are saved"), "{reasons:?}");
}

fn plan() -> ReplayPlan {
    let change = |epoch, balance| Change { epoch, settings: with(&settings(), "balance", balance) };
    ReplayPlan { epoch: 12, changes: vec![change(8, "3"), change(12, "2"), change(16, "0.5")] }
}

#[test]
fn planned_changes_are_saved_however_early_a_run_stops() {
    let shelf = tempfile::tempdir().unwrap();
    let far = ReplayPlan { epoch: 1_000_000, ..plan() };
    let long = with(&settings(), "epochs", "1000000");
    let begun = Start { plan: Some(far), settings: long, ..start(Some(shelf.path())) };
    let worker = Worker::start(begun, || {}).unwrap();
    let is_kept = |event: &Event| matches!(event, Event::Saved(..));
    while !worker.wait(PATIENCE).as_ref().is_some_and(is_kept) {}
    worker.finish();
    let run = &saved_runs(shelf.path())[0];
    assert_eq!(run.left, Left::InOrder);
    assert_eq!(RunFolder::record(&run.path).unwrap().changes, plan().changes);
}

#[test]
fn a_run_stopped_before_its_planned_changes_applies_them_on_resume() {
    let (shelf, whole) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let planned = |keep| Start { plan: Some(plan()), ..start(Some(keep)) };
    let mut watched = Watched::new(planned(whole.path()));
    let end = watched.tell(TrainingCommand::Run(8));
    watched.worker.finish();
    let watched = Watched::new(planned(shelf.path()));
    watched.worker.finish();
    let path = saved_runs(shelf.path())[0].path.clone();
    let mut again = Watched::new(Start { resume: Some(path.clone()), ..start(Some(shelf.path())) });
    let there = again.tell(TrainingCommand::Run(8));
    let taken = |event: &Event| matches!(event, Event::Changed { epoch: 16, .. });
    assert_eq!(again.told.iter().filter(|event| taken(event)).count(), 1);
    assert_eq!(bits(&there.state), bits(&end.state));
    again.worker.finish();
    assert_eq!(RunFolder::record(&path).unwrap().changes, plan().changes);
}

#[test]
fn a_change_at_the_epoch_of_a_state_line_is_in_force_there() {
    let watched = Watched::new(Start { plan: Some(plan()), ..start(None) });
    let changes = watched.told.iter().filter_map(|event| match event {
        Event::Changed { epoch, settings } => Some((*epoch, settings.balance.0[0])),
        _ => None,
    });
    assert_eq!(changes.collect::<Vec<_>>(), [(8, 3.0), (12, 2.0)]);
    // A change made by the user there comes on top of it.
    let faster = SettingChange { key: "learning_rate", value: "0.5".to_owned() };
    watched.worker.send(TrainingCommand::Set(vec![faster]));
    let settings = loop {
        match watched.worker.wait(PATIENCE).expect("an event in good time") {
            Event::Changed { settings, .. } if settings.learning_rate > 0.4 => break settings,
            _ => {}
        }
    };
    assert_eq!(settings.balance, plan().changes[1].settings.balance);
    watched.worker.finish();
}
