//! `gesf-tui learn`: opens a lesson in the explorer, lists progress, or checks lesson
//! files.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use clap::Args;

use super::open::{self, LookArgs};
use super::overwriting::ForceArgs;
use super::paint::{FAINT, HEADING, TITLE, fitted, styled, wrapped};
use super::{hand_in, output};
use crate::escape::harmless_line;
use crate::files::read_small;
use crate::graph::Sample;
use crate::lab::lessons::{self, ACTIONS, Lesson, LessonProgress};
use crate::tui::{self, Learn};

/// Open, list or check lessons.
#[derive(Debug, Args)]
pub(super) struct LearnArgs {
    /// Lesson to open: its name, or a lesson file; without one, choose on
    /// the screen
    lesson: Option<String>,
    #[command(flatten)]
    look: LookArgs,
    /// List the lessons and your progress
    #[arg(long, conflicts_with = "lesson")]
    list: bool,
    /// Validate lesson files and print errors with line numbers
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["list", "lesson"])]
    check: Vec<PathBuf>,
    /// Print the facts available to checks, as a Markdown table
    #[arg(long, conflicts_with_all = ["list", "check", "lesson"])]
    facts: bool,
    /// Write what was done and answered so far to this file, for the teacher
    #[arg(long, value_name = "FILE", conflicts_with_all = ["list", "check", "lesson", "facts"])]
    hand_in: Option<PathBuf>,
    /// Name in the hand-in; without it, the hand-in is anonymous
    #[arg(long, value_name = "NAME", requires = "hand_in")]
    name: Option<String>,
    /// Show for a folder of hand-ins which step stopped how many
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["list", "check", "lesson", "facts", "hand_in"])]
    class: Option<PathBuf>,
    /// Press the keys of each hand-in again and check that they complete the
    /// steps
    #[arg(long, requires = "class")]
    replay: bool,
    #[command(flatten)]
    force: ForceArgs,
}

const WIDTH: usize = 78;

pub(super) fn run(args: &LearnArgs) -> anyhow::Result<ExitCode> {
    let mut out = output::stdout();
    if args.facts {
        write!(out, "{}", lessons::facts_table())?;
        return Ok(ExitCode::SUCCESS);
    }
    if !args.check.is_empty() {
        check(&args.check, &mut out)?;
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(path) = &args.hand_in {
        args.force.file(path)?;
        hand_in::write(path, args.name.as_deref().unwrap_or_default(), &mut out)?;
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(folder) = &args.class {
        hand_in::class(folder, &args.look, args.replay, &mut out)?;
        return Ok(ExitCode::SUCCESS);
    }
    let screen = std::io::stdout().is_terminal() && std::io::stdin().is_terminal();
    let learn = match &args.lesson {
        Some(name) => Learn::Lesson(Box::new(chosen(name, Kind::Lesson)?)),
        None if args.list || !screen => {
            let (progress, trouble) = LessonProgress::load();
            if let Some(trouble) = trouble {
                eprintln!("{}", harmless_line(&trouble.to_string()));
            }
            list(&lessons::all()?, &progress, &mut out)?;
            return Ok(ExitCode::SUCCESS);
        }
        None => Learn::Choose,
    };
    drop(out);
    open::learn(&args.look, learn, None)
}

/// What a file contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Tasks to do.
    Lesson,
    /// Keys that are played.
    Demo,
}

/// The lesson or demo with a name, or from a file.
pub(super) fn chosen(name: &str, kind: Kind) -> anyhow::Result<Lesson> {
    let path = Path::new(name);
    let (known, what) = match kind {
        Kind::Lesson => (lessons::find(name), "lesson"),
        Kind::Demo => (lessons::find_demo(name), "demo"),
    };
    let nearest = match known {
        Ok(built) => return Ok(lessons::parse(built.text, built.id, &[])?),
        Err(nearest) => nearest,
    };
    if !path.exists() {
        bail!(
            "found no {what} and no file called `{name}`, expected one\n  help: did you mean \
             `{nearest}`? `gesf-tui {}` shows all",
            if kind == Kind::Lesson { "learn --list" } else { "demo" }
        );
    }
    let text = read_small(path).with_context(|| name.to_owned())?;
    let controls = controls();
    let mut lesson = lessons::parse(&text, name, &controls)?;
    tui::check_keys(&lesson, name)?;
    if lesson.is_demo != (kind == Kind::Demo) {
        let other = if lesson.is_demo { "demo" } else { "learn" };
        bail!("{name}: found no {what}\n  help: open it with `gesf-tui {other} {name}`");
    }
    missing_graph(&mut lesson, path).map_or(Ok(()), |missing| Err(anyhow::Error::msg(missing)))?;
    for graph in lesson.graphs().filter(|graph| Sample::named(graph).is_none()) {
        let beside = path.parent().unwrap_or(Path::new("")).join(&*graph);
        *graph = beside.to_string_lossy().into_owned();
    }
    Ok(lesson)
}

fn list(all: &[Lesson], progress: &LessonProgress, out: &mut dyn Write) -> std::io::Result<()> {
    let finished = all.iter().filter(|lesson| progress.of(&lesson.id).finished).count();
    writeln!(out, "{}", styled(TITLE, format!("Lessons, {finished} of {} done", all.len())))?;
    for (at, lesson) in all.iter().enumerate() {
        let standing = progress.of(&lesson.id);
        let steps = lesson.steps.len();
        let state = match standing.steps {
            _ if standing.finished => "done".to_owned(),
            0 => "not started".to_owned(),
            done => format!("step {} of {steps}", (done + 1).min(steps)),
        };
        writeln!(
            out,
            "\n{}. {} {} {}",
            at + 1,
            styled(HEADING, fitted(&lesson.title, 40)),
            fitted(&lesson.id, 20),
            styled(FAINT, format!("{state}, {} min", lesson.minutes))
        )?;
        for line in wrapped(&lesson.about, WIDTH - 3) {
            writeln!(out, "   {line}")?;
        }
    }
    Ok(())
}

fn check(files: &[PathBuf], out: &mut dyn Write) -> anyhow::Result<()> {
    let controls = controls();
    let mut faults = Vec::new();
    for path in files {
        let name = path.display().to_string();
        let text = read_small(path).with_context(|| name.clone())?;
        let parsed = lessons::parse(&text, &name, &controls);
        match parsed.and_then(|own| tui::check_keys(&own, &name).map(|()| own)) {
            Ok(mut lesson) => {
                if let Some(missing) = missing_graph(&mut lesson, path) {
                    faults.push(missing);
                    continue;
                }
                let steps = lesson.steps.len();
                let plural = if steps == 1 { "" } else { "s" };
                writeln!(out, "{name} is valid: {}, {steps} step{plural}", lesson.title)?;
            }
            Err(error) => faults.push(error.to_string()),
        }
    }
    if !faults.is_empty() {
        bail!("{}", faults.join("\n"));
    }
    Ok(())
}

/// The error for the first graph of a lesson that is not beside its file.
fn missing_graph(lesson: &mut Lesson, file: &Path) -> Option<String> {
    let folder = file.parent().unwrap_or(Path::new(""));
    let is_there = |graph: &str| Sample::named(graph).is_some() || folder.join(graph).exists();
    let missing = lesson.graphs().find(|graph| !is_there(graph))?;
    let advice = "paths are relative to the folder of the lesson file";
    Some(format!("{}: no graph at `{missing}`\n  help: {advice}", file.display()))
}

/// Every command a step may show: those of the explorer and those of the lab.
fn controls() -> Vec<&'static str> {
    tui::command_names().chain(ACTIONS.iter().map(|(_, name, _)| *name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::lessons::{DEMOS, LESSONS};

    #[test]
    fn the_bundled_lessons_pass_the_check() {
        let controls = controls();
        assert!(controls.contains(&"pause") && controls.contains(&"shuffle-cards"));
        for built in LESSONS.into_iter().chain(DEMOS) {
            let lesson = lessons::parse(built.text, built.id, &controls).unwrap();
            tui::check_keys(&lesson, built.id).unwrap();
        }
    }

    #[test]
    fn the_list_shows_the_progress_of_each_lesson() {
        let mut progress = LessonProgress::default();
        progress.note("shuffle", 2, 2);
        progress.note("types", 1, 3);
        let mut out = Vec::new();
        list(&lessons::all().unwrap(), &progress, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(text.contains("1 of 11 done") && text.contains("step 2 of 3"), "{text}");
    }
}
