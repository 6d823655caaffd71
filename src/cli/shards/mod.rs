//! Sharing the runs of a command between machines. The runs are a numbered list of
//! tasks that depends on the arguments alone; a shard has every n-th of them. Its
//! output, a [`Document`](document::Document), is what `gesf-tui merge` reads.

pub(super) mod document;

use std::io::Write;
use std::path::Path;
use std::str::FromStr;

use anyhow::{Context, bail};
use clap::Args;

use super::output;
use crate::export::report::quoted;
use crate::graph::Graph;
use crate::model::settings::Settings;
use crate::train::journal::{Journal, task_key};

/// Options for several machines.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Several machines")]
pub(super) struct ShardArgs {
    /// Run only part M of N of the tasks and print what `gesf-tui merge` reads; `slurm`
    /// and `hq/N` take M from the array task of SLURM and HyperQueue
    #[arg(long, value_name = "M/N")]
    shard: Option<ShardChoice>,
    /// Print one shell command per task instead, for GNU parallel or HyperQueue
    #[arg(long, conflicts_with = "shard")]
    list_commands: bool,
}

/// Every n-th task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Shard {
    /// From 1 on.
    number: usize,
    count: usize,
}

/// A shard as typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ShardChoice {
    Given(Shard),
    /// From the array of a SLURM job.
    Slurm,
    /// From the array of a HyperQueue job, of this many tasks.
    HyperQueue(usize),
}

impl FromStr for ShardChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected = || {
            format!(
                "found `{text}`, expected M/N with M from 1 to N (for example 3/8), slurm, or hq/N"
            )
        };
        if text == "slurm" {
            return Ok(Self::Slurm);
        }
        let (number, count) = text.split_once('/').ok_or_else(expected)?;
        let count: usize = count.parse().ok().filter(|count| *count > 0).ok_or_else(expected)?;
        if number == "hq" {
            return Ok(Self::HyperQueue(count));
        }
        let number = number.parse().ok().filter(|number| (1..=count).contains(number));
        Ok(Self::Given(Shard { number: number.ok_or_else(expected)?, count }))
    }
}

impl ShardChoice {
    /// The shard, with the variables of the job where it names one.
    fn resolve(self, variable: impl Fn(&str) -> Option<String>) -> anyhow::Result<Shard> {
        let number = |name: &str| -> anyhow::Result<usize> {
            let found = variable(name).with_context(|| {
                format!("--shard: found no variable {name}, expected to run in an array job")
            })?;
            let parsed = found.parse();
            parsed.with_context(|| format!("{name}: found `{found}`, expected a number"))
        };
        match self {
            Self::Given(shard) => Ok(shard),
            Self::Slurm => {
                let (id, count) =
                    (number("SLURM_ARRAY_TASK_ID")?, number("SLURM_ARRAY_TASK_COUNT")?);
                // Arrays may start anywhere and have steps.
                let least = number("SLURM_ARRAY_TASK_MIN").unwrap_or(1);
                let step = number("SLURM_ARRAY_TASK_STEP").unwrap_or(1).max(1);
                let place = id.checked_sub(least).map(|after| after / step + 1);
                match place.filter(|place| *place <= count) {
                    Some(number) => Ok(Shard { number, count }),
                    None => bail!(
                        "SLURM_ARRAY_TASK_ID: found {id}, expected one of {count} tasks from \
                         {least} on\n  help: submit with --array=1-{count}"
                    ),
                }
            }
            Self::HyperQueue(count) => {
                let number = number("HQ_TASK_ID")?;
                if !(1..=count).contains(&number) {
                    bail!(
                        "HQ_TASK_ID: found {number}, expected 1 to {count}\n  help: submit with \
                         --array 1-{count}"
                    );
                }
                Ok(Shard { number, count })
            }
        }
    }
}

impl Shard {
    /// Its tasks among so many.
    pub(super) fn of(self, tasks: std::ops::Range<usize>) -> Vec<usize> {
        tasks.filter(|task| task % self.count == self.number - 1).collect()
    }
}

impl ShardArgs {
    /// The shard, if one is requested.
    pub(super) fn shard(&self) -> anyhow::Result<Option<Shard>> {
        let variable = |name: &str| std::env::var(name).ok();
        self.shard.map(|choice| choice.resolve(variable)).transpose()
    }

    /// Prints a command for each task, if requested. Returns whether it was.
    pub(super) fn list_commands(&self, tasks: usize) -> anyhow::Result<bool> {
        if !self.list_commands {
            return Ok(false);
        }
        let typed = std::env::args().filter(|word| word != "--list-commands");
        let command: Vec<String> = typed.map(|word| quoted(&word)).collect();
        let command = command.join(" ");
        let mut out = output::data();
        for task in 1..=tasks {
            writeln!(out, "{command} --shard {task}/{tasks}")?;
        }
        Ok(true)
    }
}

/// A short text that identifies the graph and the settings that a plan is about.
pub(super) fn basis(graph: &Graph, settings: &Settings) -> String {
    task_key(graph.fingerprint(), settings, None)
}

/// The journal of a command in a folder; each shard has its own, so that no two
/// machines write to one file.
pub(super) fn journal(
    command: &str,
    folder: Option<&Path>,
    shard: Option<Shard>,
) -> anyhow::Result<Journal> {
    let Some(folder) = folder else { return Ok(Journal::default()) };
    let name = match shard {
        Some(Shard { number, count }) => format!("{command}-{number}-of-{count}"),
        None => command.to_owned(),
    };
    Ok(Journal::open(folder, &name)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shard(text: &str) -> Shard {
        text.parse::<ShardChoice>().unwrap().resolve(|_| None).unwrap()
    }

    #[test]
    fn every_task_is_in_one_shard() {
        for count in 1..9 {
            let parts = (1..=count).flat_map(|at| shard(&format!("{at}/{count}")).of(0..21));
            let mut tasks: Vec<usize> = parts.collect();
            tasks.sort_unstable();
            assert_eq!(tasks, (0..21).collect::<Vec<_>>());
        }
        assert_eq!(shard("2/3").of(4..9), [4, 7]);
    }

    #[test]
    fn a_shard_that_does_not_exist_is_refused() {
        for text in ["0/3", "4/3", "1/0", "3", "a/b", "", "hq", "hq/0", "-1/2"] {
            let error = text.parse::<ShardChoice>().unwrap_err();
            assert!(error.contains("expected M/N"), "{text}: {error}");
        }
    }

    #[test]
    fn array_jobs_name_the_shard() {
        let job = |pairs: &'static [(&str, &str)]| {
            move |name: &str| {
                let own = pairs.iter().find(|(own, _)| *own == name);
                own.map(|(_, value)| (*value).to_owned())
            }
        };
        let slurm = ShardChoice::Slurm;
        let from_zero = job(&[
            ("SLURM_ARRAY_TASK_ID", "7"),
            ("SLURM_ARRAY_TASK_COUNT", "8"),
            ("SLURM_ARRAY_TASK_MIN", "0"),
        ]);
        assert_eq!(slurm.resolve(from_zero).unwrap(), Shard { number: 8, count: 8 });
        let with_steps = job(&[
            ("SLURM_ARRAY_TASK_ID", "10"),
            ("SLURM_ARRAY_TASK_COUNT", "4"),
            ("SLURM_ARRAY_TASK_MIN", "2"),
            ("SLURM_ARRAY_TASK_STEP", "4"),
        ]);
        assert_eq!(slurm.resolve(with_steps).unwrap(), Shard { number: 3, count: 4 });
        let outside = job(&[("SLURM_ARRAY_TASK_ID", "9"), ("SLURM_ARRAY_TASK_COUNT", "8")]);
        assert!(slurm.resolve(outside).unwrap_err().to_string().contains("--array=1-8"));
        assert!(slurm.resolve(|_| None).unwrap_err().to_string().contains("SLURM_ARRAY_TASK_ID"));
        let queue = ShardChoice::HyperQueue(8);
        assert_eq!(
            queue.resolve(job(&[("HQ_TASK_ID", "3")])).unwrap(),
            Shard { number: 3, count: 8 }
        );
        assert!(queue.resolve(job(&[("HQ_TASK_ID", "0")])).is_err());
    }
}
