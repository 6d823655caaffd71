//! Opening graphs and lessons; writing the user's files.

use std::path::Path;
use std::sync::atomic::Ordering;

use super::{AppEvent, Explorer};
use crate::files::write_atomically;
use crate::lab::lessons::Lesson;
use crate::train::run::{Left, RunFolder, saved_runs};
use crate::tui::launch::{Described, Learn};
use crate::tui::layers::Cut;
use crate::tui::message::{Effect, Message};
use crate::tui::opening::{Begin, Opening};
use crate::tui::runs::age;
use crate::tui::speed::Speed;
use crate::tui::state_change::StateChange;
use crate::tui::{learning, recent};

impl Explorer {
    /// Opens the graph the explorer is started with, or the picker.
    pub(super) fn open_first(&mut self) {
        let learn = self.launch.learn.take();
        if let Some(Learn::Lesson(lesson)) = learn {
            if lesson.is_demo {
                self.record_demo(&lesson.id);
            }
            for effect in learning::begin(&mut self.state, *lesson) {
                if let Effect::Learn(opened) = effect {
                    self.open_lesson(&opened);
                }
            }
        } else if let Some(described) = self.launch.described.take() {
            self.open_described(&described);
        } else if let Some(path) = self.launch.path.clone() {
            self.open(&path);
        } else {
            self.change(StateChange::Choosing);
            if learn.is_some() {
                learning::shelf(&mut self.state, None);
            }
        }
    }

    pub(super) fn open(&mut self, path: &Path) {
        tracing::info!(path = %path.display(), "opening");
        // The previous run is saved before another replaces it.
        self.keep();
        self.described = None;
        let opening = self.launch.open(path);
        self.start(path, opening);
    }

    /// Opens a run at an epoch.
    pub(super) fn open_described(&mut self, described: &Described) {
        tracing::info!(line = %described.line, "opening");
        self.keep();
        self.described = Some(described.line.clone());
        let opening = self.launch.open_described(described);
        self.start(&described.path, opening);
    }

    fn start(&mut self, path: &Path, opening: Result<Opening, String>) {
        let wake = self.waker();
        // A lesson ends when its graph is closed.
        self.change(StateChange::LessonClosed);
        self.set_speed();
        let opened = opening.and_then(|opening| {
            let begin = self.launch.begin(self.launch.paused, self.launch.home.runs.clone());
            // A prompt that depends on this machine must not be recorded.
            let is_shared = self.launch.record.is_some() || self.player.is_some();
            let cut = if is_shared { None } else { cut_off(&opening, &begin) };
            let (head, graph) = (self.head_of(&opening), opening.path.clone());
            Ok((opening.start(&mut self.state, begin, wake)?, cut, head, graph))
        });
        match opened {
            Ok((worker, cut, head, graph)) => {
                self.worker = Some(worker);
                self.graph = Some(graph);
                if self.launch.home.remembers {
                    recent::remember(path);
                }
                if let Some(head) = head {
                    self.record_opened(head);
                }
                if let Some(cut) = cut {
                    let _ = self.sender.send(AppEvent::Message(Message::CutOff(cut)));
                }
            }
            Err(why) => self.change(StateChange::NotOpened(why)),
        }
    }

    /// Opens the graph of a lesson. Its run is practice and is not saved.
    pub(super) fn open_lesson(&mut self, lesson: &Lesson) {
        tracing::info!(lesson = %lesson.id, "opening");
        let wake = self.waker();
        self.keep();
        self.described = None;
        if let Some(epochs) = lesson.speed {
            self.change(StateChange::Speed(Speed::limited(epochs)));
        }
        let opened = self.launch.open_lesson(lesson).and_then(|opening| {
            let begin = self.launch.begin(lesson.paused, None);
            opening.start(&mut self.state, begin, wake)
        });
        match opened {
            Ok(worker) => {
                self.worker = Some(worker);
                self.graph = None;
                self.change(StateChange::Practice);
            }
            Err(why) => {
                self.change(StateChange::LessonClosed);
                self.change(StateChange::NotOpened(why));
            }
        }
    }

    /// Sets the requested speed, or the last one chosen; a replay has its own timing.
    fn set_speed(&mut self) {
        let asked = self.launch.speed;
        let remembers = self.launch.home.remembers && self.player.is_none();
        if asked.is_some() || remembers {
            self.change(StateChange::Speed(asked.unwrap_or_else(Speed::remembered)));
        }
    }

    /// The callback by which the training thread signals events.
    fn waker(&self) -> impl Fn() + Send + 'static {
        let (sender, news) = (self.sender.clone(), self.news.clone());
        move || {
            if !news.swap(true, Ordering::SeqCst) {
                let _ = sender.send(AppEvent::News);
            }
        }
    }

    pub(super) fn save_preset(&mut self, name: &str, text: &str) {
        let Some(folder) = &self.launch.presets else {
            let why = "the preset is not saved: no configuration folder found";
            return self.change(StateChange::Failed(why.to_owned()));
        };
        let path = folder.join(format!("{name}.toml"));
        let written = std::fs::create_dir_all(folder)
            .and_then(|()| write_atomically(&path, |out| out.write_all(text.as_bytes())));
        self.change(match written {
            Ok(()) => StateChange::Said(format!("saved: --preset {}", path.display())),
            Err(error) => StateChange::Failed(format!("{}: {error}", path.display())),
        });
    }
}

/// The newest run of a graph that a crash interrupted, unless an epoch of a run was
/// requested.
fn cut_off(opening: &Opening, begin: &Begin) -> Option<Cut> {
    if opening.leads_somewhere() {
        return None;
    }
    let runs = saved_runs(&opening.shelf(begin.runs_folder.as_deref()?));
    let run = runs.into_iter().find(|run| run.left == Left::Crashed)?;
    let epoch = RunFolder::checkpoint(&run.path).filter(|epoch| *epoch > 0)?;
    Some(Cut { path: run.path, epoch, ago: age(run.at) })
}
