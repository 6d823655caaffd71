//! `metrics.jsonl`: the metrics of epochs, one JSON line each with a checksum at
//! its end. The file stays small however long a run is: when it reaches its
//! maximum, every second line is dropped and only every second epoch is written
//! from then on, and so on.

use std::io::{self, BufRead, BufReader};
use std::path::Path;

use xxhash_rust::xxh3::xxh3_64;

use super::{METRICS, RunError, disk};
use crate::train::Scalars;
use gesf_graph::files::open_ordinary;

/// Precedes the checksum of a line.
const SUM: &str = ",\"sum\":\"";
/// A file has at most this many lines, besides those at which a run was paused.
const MOST_LINES: usize = 1 << 14;

/// No run is longer; a larger epoch means a damaged line, which would stretch the
/// charts.
const FARTHEST: usize = 1 << 25;

/// Only one of this many epochs is written from an epoch on. It depends only on the
/// epoch, so a run that was killed ends with the same lines.
pub(super) fn stride(epoch: usize) -> usize {
    (epoch / MOST_LINES + 1).next_power_of_two()
}

/// The lines that remain when one of `stride` epochs is kept.
pub(super) fn thinned(path: &Path, stride: usize) -> io::Result<Vec<String>> {
    let mut lines = lines_before(path, usize::MAX)?.kept;
    lines.retain(|line| epoch_of(line).is_some_and(|epoch| epoch.is_multiple_of(stride)));
    Ok(lines)
}

/// The line of an epoch.
pub(super) fn line(scalars: &Scalars) -> Result<String, serde_json::Error> {
    let text = serde_json::to_string(scalars)?;
    let open = text.strip_suffix('}').unwrap_or(&text);
    Ok(format!("{open}{SUM}{:016x}\"}}\n", xxh3_64(open.as_bytes())))
}

/// Lines of a file.
#[derive(Debug, Default)]
pub(super) struct Lines {
    /// Lines of epochs before the given one.
    pub(super) kept: Vec<String>,
    /// Number of damaged lines, without one truncated at the end by a crash.
    pub(super) damaged: usize,
    /// Whether these are all lines of the file.
    pub(super) whole: bool,
}

/// The lines of epochs before one; only damaged lines are lost.
pub(super) fn lines_before(path: &Path, epoch: usize) -> io::Result<Lines> {
    let file = match open_ordinary(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Lines::default()),
        Err(error) => return Err(error),
    };
    let mut lines = Lines { whole: true, ..Lines::default() };
    let mut bad = 0;
    let mut reader = BufReader::new(file);
    let mut bytes = Vec::new();
    while reader.read_until(b'\n', &mut bytes)? > 0 {
        let text = bytes.strip_suffix(b"\n").and_then(|own| std::str::from_utf8(own).ok());
        match text.and_then(|text| Some((text, epoch_of(text)?))) {
            Some((text, own)) if own < epoch => {
                lines.kept.push(text.to_owned());
                // Damage in the middle counts; at the end it is a truncated line.
                lines.damaged += std::mem::take(&mut bad);
            }
            Some(_) => {
                lines.whole = false;
                lines.damaged += std::mem::take(&mut bad);
            }
            None => {
                lines.whole = false;
                bad += 1;
            }
        }
        bytes.clear();
    }
    Ok(lines)
}

/// The epoch of a line with a valid checksum.
fn epoch_of(text: &str) -> Option<usize> {
    if let Some((open, sum)) = text.rsplit_once(SUM) {
        let right = format!("{:016x}\"}}", xxh3_64(open.as_bytes()));
        if sum != right {
            return None;
        }
    }
    let values: serde_json::Value = serde_json::from_str(text).ok()?;
    let epoch = usize::try_from(values.get("epoch")?.as_u64()?).ok()?;
    (epoch < FARTHEST).then_some(epoch)
}

/// The saved metrics of a run, in order.
pub fn metrics(path: &Path) -> Result<Vec<Scalars>, RunError> {
    let file = path.join(METRICS);
    let lines = lines_before(&file, usize::MAX).map_err(|error| disk(&file, error))?;
    Ok(lines.kept.iter().filter_map(|line| serde_json::from_str(line).ok()).collect())
}

/// The saved metrics of a run, one JSON line per epoch.
pub fn metrics_lines(path: &Path) -> io::Result<Vec<String>> {
    lines_before(&path.join(METRICS), usize::MAX).map(|lines| lines.kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn longer_runs_write_fewer_epochs() {
        let at = |epoch| stride(epoch);
        assert_eq!([at(0), at(MOST_LINES - 1), at(MOST_LINES)], [1, 1, 2]);
        assert_eq!([at(2 * MOST_LINES - 1), at(2 * MOST_LINES), at(10_000_000)], [2, 4, 1024]);
        assert!((0..200).all(|part| part * MOST_LINES / stride(part * MOST_LINES) <= MOST_LINES));
    }

    fn written(change: impl Fn(usize, String) -> String) -> Lines {
        let folder = tempfile::tempdir().unwrap();
        let text: String = (0..6)
            .map(|epoch| {
                let scalars = Scalars { epoch, total: 1.5, ..Scalars::default() };
                change(epoch, line(&scalars).unwrap())
            })
            .collect();
        std::fs::write(folder.path().join(METRICS), text).unwrap();
        lines_before(&folder.path().join(METRICS), usize::MAX).unwrap()
    }

    #[test]
    fn only_the_damaged_line_is_lost_and_it_is_counted() {
        let flipped =
            written(|epoch, line| if epoch == 2 { line.replace("1.5", "1.7") } else { line });
        assert_eq!((flipped.kept.len(), flipped.damaged, flipped.whole), (5, 1, false));
        let junk = written(|epoch, line| if epoch == 4 { "\u{fffd}{\n".into() } else { line });
        assert_eq!((junk.kept.len(), junk.damaged), (5, 1));
        let sound = written(|_, line| line);
        assert_eq!((sound.kept.len(), sound.damaged, sound.whole), (6, 0, true));
    }

    #[test]
    fn a_line_truncated_by_a_crash_is_skipped_silently() {
        let cut = written(|epoch, line| if epoch == 5 { line[..20].to_owned() } else { line });
        assert_eq!((cut.kept.len(), cut.damaged, cut.whole), (5, 0, false));
    }

    #[test]
    fn lines_without_a_checksum_come_from_earlier_versions() {
        let old = written(|_, line| {
            let open = line.rsplit_once(SUM).unwrap().0.to_owned();
            format!("{open}}}\n")
        });
        assert_eq!((old.kept.len(), old.damaged), (6, 0));
        assert!(serde_json::from_str::<Scalars>(&old.kept[0]).is_ok());
    }
}
