//! Load options as command-line options: `--format=gml`.

use std::path::PathBuf;

use super::{Format, LoadOptions, OnBadRow};

const FORMAT: &str = "--format";
const ON_BAD_ROW: &str = "--on-bad-row";
const LABELS: &str = "--labels";
const SPLIT: &str = "--split";
const LABEL_COLUMN: &str = "--label-column";
const TARGET_COLUMN: &str = "--target-column";
const TYPE_COLUMN: &str = "--type-column";
const NAME_COLUMN: &str = "--name-column";
const UNWEIGHTED: &str = "--unweighted";
const COUNT_ROWS: &str = "--count-rows";

const KNOWN: [&str; 10] = [
    FORMAT,
    ON_BAD_ROW,
    LABELS,
    SPLIT,
    LABEL_COLUMN,
    TARGET_COLUMN,
    TYPE_COLUMN,
    NAME_COLUMN,
    UNWEIGHTED,
    COUNT_ROWS,
];

impl LoadOptions {
    /// The command-line options for these load options, each with its value, if
    /// any. Defaults are omitted.
    ///
    /// ```
    /// use gesf_graph::{Format, LoadOptions};
    ///
    /// let options =
    ///     LoadOptions { format: Some(Format::Gml), count_rows: true, ..LoadOptions::default() };
    /// let words = options.words();
    /// assert_eq!(words, [("--format", Some("gml".to_owned())), ("--count-rows", None)]);
    /// let mut again = LoadOptions::default();
    /// for (name, value) in &words {
    ///     again.take_word(name, value.as_deref()).unwrap();
    /// }
    /// assert_eq!(again, options);
    /// ```
    pub fn words(&self) -> Vec<(&'static str, Option<String>)> {
        let labels = self.labels.as_ref().map(|path| path.display().to_string());
        let valued = [
            (FORMAT, self.format.map(|format| format.name().to_owned())),
            (LABELS, labels),
            (SPLIT, self.split.clone()),
            (LABEL_COLUMN, self.roles.label.clone()),
            (TARGET_COLUMN, self.roles.target.clone()),
            (TYPE_COLUMN, self.roles.node_type.clone()),
            (NAME_COLUMN, self.roles.name.clone()),
            (ON_BAD_ROW, (self.on_bad_row == OnBadRow::Skip).then(|| "skip".to_owned())),
        ];
        let flags = [(UNWEIGHTED, self.ignore_weights), (COUNT_ROWS, self.count_rows)];
        let valued = valued.into_iter().filter(|(_, value)| value.is_some());
        valued
            .chain(flags.into_iter().filter(|(_, on)| *on).map(|(name, _)| (name, None)))
            .collect()
    }

    /// Applies one such option; the error describes what is wrong.
    pub fn take_word(&mut self, name: &str, value: Option<&str>) -> Result<(), String> {
        let needed = || {
            let text = value.filter(|text| !text.is_empty()).map(str::to_owned);
            text.ok_or_else(|| format!("`{name}`: found no value, expected `{name}=VALUE`"))
        };
        match name {
            FORMAT => self.format = Some(format_named(&needed()?)?),
            LABELS => self.labels = Some(PathBuf::from(needed()?)),
            SPLIT => self.split = Some(needed()?),
            LABEL_COLUMN => self.roles.label = Some(needed()?),
            TARGET_COLUMN => self.roles.target = Some(needed()?),
            TYPE_COLUMN => self.roles.node_type = Some(needed()?),
            NAME_COLUMN => self.roles.name = Some(needed()?),
            ON_BAD_ROW => {
                self.on_bad_row = match needed()?.as_str() {
                    "fail" => OnBadRow::Fail,
                    "skip" => OnBadRow::Skip,
                    other => {
                        return Err(format!("`{name}`: found `{other}`, expected fail or skip"));
                    }
                }
            }
            UNWEIGHTED => self.ignore_weights = true,
            COUNT_ROWS => self.count_rows = true,
            _ => return Err(format!("found `{name}`, expected one of {}", KNOWN.join(", "))),
        }
        Ok(())
    }
}

fn format_named(name: &str) -> Result<Format, String> {
    Format::ALL.into_iter().find(|format| format.name() == name).ok_or_else(|| {
        let names: Vec<&str> = Format::ALL.iter().map(|format| format.name()).collect();
        format!("`{FORMAT}`: found `{name}`, expected one of {}", names.join(", "))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RoleChoice;

    #[test]
    fn every_option_round_trips() {
        let options = LoadOptions {
            format: Some(Format::EdgeList),
            on_bad_row: OnBadRow::Skip,
            labels: Some("people.tsv".into()),
            split: Some("3".into()),
            roles: RoleChoice {
                label: Some("club".into()),
                target: Some("age".into()),
                node_type: Some("kind".into()),
                name: Some("who".into()),
            },
            ignore_weights: true,
            count_rows: true,
        };
        let words = options.words();
        assert_eq!(words.len(), KNOWN.len());
        let mut again = LoadOptions::default();
        for (name, value) in &words {
            again.take_word(name, value.as_deref()).unwrap();
        }
        assert_eq!(again, options);
    }

    #[test]
    fn errors_name_what_was_found_and_what_was_expected() {
        let said = |name: &str, value: Option<&str>| {
            LoadOptions::default().take_word(name, value).unwrap_err()
        };
        assert!(said("--format", Some("gmll")).contains("found `gmll`, expected one of"));
        assert!(said("--labels", None).contains("expected `--labels=VALUE`"));
        assert!(said("--exec", Some("x")).contains("found `--exec`, expected one of --format"));
    }
}
