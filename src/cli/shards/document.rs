//! The output of a shard: one line of JSON with the plan of the whole command and the
//! results of some of its tasks. The plan has all that the final output needs, so that
//! merging needs neither the graph nor the settings.

use std::io::Write;

use anyhow::{Context, anyhow, bail};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::cli::output;

/// One shard.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::cli) struct Document {
    /// The command.
    pub(in crate::cli) command: String,
    /// The version of the program: another one may train differently.
    version: String,
    /// What the final output needs besides the results.
    pub(in crate::cli) plan: Value,
    /// The number of tasks of the whole command.
    tasks: usize,
    results: Vec<TaskResult>,
}

/// The result of one task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct TaskResult {
    task: usize,
    result: Value,
}

/// Prints a shard.
pub(in crate::cli) fn print<R: Serialize>(
    command: &str,
    plan: &impl Serialize,
    tasks: usize,
    results: impl Iterator<Item = (usize, R)>,
) -> anyhow::Result<()> {
    let result =
        |(task, result): (usize, R)| Ok(TaskResult { task, result: serde_json::to_value(result)? });
    let document = Document {
        command: command.to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        plan: serde_json::to_value(plan)?,
        tasks,
        results: results.map(result).collect::<anyhow::Result<_>>()?,
    };
    writeln!(output::data(), "{}", serde_json::to_string(&document)?)?;
    Ok(())
}

/// All shards of one command.
pub(in crate::cli) struct Merged {
    first: Document,
    results: Vec<Option<Value>>,
}

impl Merged {
    /// Merges shards, given with the names of their files.
    pub(in crate::cli) fn of(
        shards: impl IntoIterator<Item = (String, Document)>,
    ) -> anyhow::Result<Self> {
        let mut merged: Option<Self> = None;
        for (name, mut shard) in shards {
            let results = std::mem::take(&mut shard.results);
            let own = merged.get_or_insert_with(|| Self {
                results: vec![None; shard.tasks],
                first: shard.clone(),
            });
            if own.first != shard {
                bail!(
                    "{name}: found a shard of another command, graph or version, expected the \
                     same as in the first file\n  help: run all shards with the same arguments"
                );
            }
            for TaskResult { task, result } in results {
                let place = own.results.get_mut(task).with_context(|| {
                    format!("{name}: found task {task}, expected a task below {}", shard.tasks)
                })?;
                if place.as_ref().is_some_and(|known| *known != result) {
                    bail!(
                        "{name}: found another result of task {task} than before, expected the \
                         same\n  help: name each shard once; delete one of the two"
                    );
                }
                *place = Some(result);
            }
        }
        merged.ok_or_else(|| anyhow!("found no shards, expected the output of --shard"))
    }

    /// The command of the shards.
    pub(in crate::cli) fn command(&self) -> &str {
        &self.first.command
    }

    /// The plan and the result of every task.
    pub(in crate::cli) fn parts<P: DeserializeOwned, R: DeserializeOwned>(
        self,
    ) -> anyhow::Result<(P, Vec<R>)> {
        let whole = self.results.len();
        let missing: Vec<String> = self
            .results
            .iter()
            .enumerate()
            .filter(|(_, result)| result.is_none())
            .map(|(task, _)| (task + 1).to_string())
            .collect();
        if !missing.is_empty() {
            let first = missing[..missing.len().min(20)].join(", ");
            let more = if missing.len() > 20 { ", …" } else { "" };
            bail!(
                "found {} of {whole} tasks, expected all\n  help: run the missing ones, each with \
                 --shard M/{whole} for M = {first}{more}",
                whole - missing.len()
            );
        }
        let damaged = "a shard is damaged, or of another version";
        let plan = serde_json::from_value(self.first.plan).context(damaged)?;
        let results = self.results.into_iter().flatten();
        let results = results.map(|own| serde_json::from_value(own).context(damaged));
        Ok((plan, results.collect::<anyhow::Result<_>>()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn shard(plan: u8, results: &[(usize, f64)]) -> (String, Document) {
        let result = |&(task, result): &(usize, f64)| TaskResult { task, result: json!(result) };
        let document = Document {
            command: "sweep".to_owned(),
            version: "1".to_owned(),
            plan: json!(plan),
            tasks: 3,
            results: results.iter().map(result).collect(),
        };
        ("file".to_owned(), document)
    }

    #[test]
    fn shards_in_any_order_give_all_results_in_order() {
        let all = [shard(1, &[(2, 0.3)]), shard(1, &[(1, 0.2), (0, 0.1)]), shard(1, &[(1, 0.2)])];
        let merged = Merged::of(all).unwrap();
        let (plan, results): (u8, Vec<f64>) = merged.parts().unwrap();
        assert_eq!((plan, results), (1, vec![0.1, 0.2, 0.3]));
    }

    #[test]
    fn what_does_not_belong_together_is_refused() {
        let said = |shards: Vec<(String, Document)>| {
            let merged = Merged::of(shards).and_then(Merged::parts::<u8, f64>);
            merged.unwrap_err().to_string()
        };
        assert!(said(vec![]).contains("no shards"));
        assert!(said(vec![shard(1, &[(0, 0.1)])]).contains("M = 2, 3"));
        assert!(said(vec![shard(1, &[]), shard(2, &[])]).contains("another command"));
        assert!(said(vec![shard(1, &[(3, 0.1)])]).contains("below 3"));
        assert!(said(vec![shard(1, &[(0, 0.1)]), shard(1, &[(0, 0.2)])]).contains("delete"));
    }
}
