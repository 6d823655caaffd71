//! `gesf-tui spectrum`: the eigenvalues of a graph's matrix, their density and their
//! residuals.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde_json::json;

use super::columns;
use super::graph_args::{GraphArgs, graph_path};
use super::output;
use super::paint::{BAR, FAINT, HEADING, TITLE, styled, wrapped};
use super::prepared_graph::{SpectraArgs, cancelled_by_ctrl_c};
use super::progress::Display;
use crate::graph::Graph;
use crate::model::settings::{MatrixChoice, Range, Settings, find, keys, set};
use crate::spectral::{
    Choice, Density, EdgeValues, Engine, Matrix, Origin, Progress, Request, Spectrum, Which,
    decompose_cached,
};

/// Spectrum options.
#[derive(Debug, Args)]
pub(super) struct SpectrumArgs {
    /// Graph: a file, a folder, or - for standard input
    #[arg(value_parser = graph_path())]
    path: PathBuf,
    /// Number of eigenpairs, or all
    #[arg(short = 'k', long = "count", value_name = "N|all", default_value = "1000")]
    count: Count,
    /// Matrix of the graph
    #[arg(long, value_name = "MATRIX", default_value = "sym-loops", value_parser = matrices())]
    matrix: MatrixChoice,
    /// Part of the spectrum
    #[arg(long, value_name = "WHICH", default_value = "highest", value_parser = every(Which::EVERY))]
    which: Which,
    /// Engine (default: chosen by size)
    #[arg(long, value_name = "ENGINE", value_parser = every(Engine::EVERY))]
    engine: Option<Engine>,
    #[command(flatten)]
    spectra: SpectraArgs,
    /// Print stable JSON instead of text
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    graph: GraphArgs,
}

/// A parser for a type whose values all have names.
fn every<T, const N: usize>(values: [T; N]) -> impl TypedValueParser<Value = T>
where
    T: std::fmt::Display + std::str::FromStr<Err = String> + Clone + Send + Sync + 'static,
{
    let names = values.map(|value| value.to_string());
    PossibleValuesParser::new(names).try_map(|name| name.parse::<T>().map_err(anyhow::Error::msg))
}

/// A parser for the matrices of the settings.
fn matrices() -> impl TypedValueParser<Value = MatrixChoice> {
    let setting = find(keys::MATRIX).map(|setting| setting.range);
    let names = if let Ok(Range::Names(names)) = setting { names() } else { Vec::new() };
    PossibleValuesParser::new(names).try_map(|name| {
        let mut settings = Settings::default();
        set(&mut settings, keys::MATRIX, &name).map(|()| settings.matrix)
    })
}

#[derive(Debug, Clone, Copy)]
enum Count {
    Some(usize),
    All,
}

impl std::str::FromStr for Count {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.parse() {
            Ok(0) => Err("expected at least 1, or `all`".to_owned()),
            Ok(count) => Ok(Self::Some(count)),
            Err(_) if text == "all" => Ok(Self::All),
            Err(_) => Err("expected a number, or `all`".to_owned()),
        }
    }
}

/// Everything reported about a spectrum.
struct Findings {
    title: String,
    matrix: Arc<Matrix>,
    request: Request,
    choice: Choice,
    spectrum: Option<(Spectrum, Origin)>,
    /// Estimated if not all eigenvalues are known.
    density: Option<Density>,
    seconds: f64,
}

/// Columns of the chart, and bins of the density in JSON.
const BINS: usize = 64;
/// Moments of the density: finer than a column.
const MOMENTS: usize = 256;
const PICTURE_ROWS: usize = 8;
/// Eigenvalues closer than this fraction of the largest count as equal.
const APART: f64 = 1e-6;
const MOST_VALUES: usize = 12;

pub(super) fn run(args: &SpectrumArgs) -> anyhow::Result<()> {
    let (graph, _) = args.graph.load(&args.path)?;
    let findings = examine(args, &graph)?;
    let mut out = output::stdout();
    if args.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&findings.json())?)?;
    } else {
        findings.page().iter().try_for_each(|line| writeln!(out, "{line}"))?;
    }
    Ok(())
}

fn examine(args: &SpectrumArgs, graph: &Graph) -> anyhow::Result<Findings> {
    let matrix = Arc::new(Matrix::of(graph, args.matrix.kind(), EdgeValues::Weighted)?);
    let (count, which) = match args.count {
        Count::Some(count) => (count, args.which),
        Count::All => (matrix.size(), Which::All),
    };
    let request = Request { count, which, engine: args.engine, ..Request::default() };
    let choice = request.choice(&matrix);
    let cancel = cancelled_by_ctrl_c()?;
    let mut display = Display::new(args.json);
    let mut watch = |progress: Progress| {
        let step = if progress.pass > 1 || progress.converged > 0 {
            format!("{} (pass {}, {} found)", progress.stage, progress.pass, progress.converged)
        } else {
            progress.stage.to_string()
        };
        display.show(&step, progress.done, progress.total);
    };
    let start = Instant::now();
    let spectrum = if choice.engine == Engine::Chebyshev {
        None
    } else {
        let kept = args.spectra.cache();
        Some(decompose_cached(kept.as_ref(), &matrix, &request, &cancel, &mut watch)?)
    };
    let seconds = start.elapsed().as_secs_f64();
    let complete = spectrum.as_ref().is_some_and(|(found, _)| found.count() == found.nodes());
    let density =
        if complete { None } else { Some(Density::of(&matrix, MOMENTS, &cancel, &mut watch)?) };
    display.finish();
    let stem = args.path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let title = graph.manifest().title.clone().or(stem).unwrap_or_default();
    Ok(Findings { title, matrix, request, choice, spectrum, density, seconds })
}

impl Findings {
    /// The end of the axis: the largest |σ|.
    fn scale(&self) -> f64 {
        match (&self.density, &self.spectrum) {
            (Some(density), _) => density.scale(),
            (None, Some((spectrum, _))) => spectrum.scale(),
            (None, None) => 1.0,
        }
    }

    /// The number of eigenvalues in each bin of [-scale, scale]: estimated, or
    /// counted if all are known.
    fn histogram(&self) -> Vec<f64> {
        if let Some(density) = &self.density {
            return density.histogram(BINS);
        }
        let mut bins = vec![0.0; BINS];
        let values = self.spectrum.iter().flat_map(|(spectrum, _)| spectrum.values());
        for value in values {
            let share = f64::midpoint(value / self.scale(), 1.0);
            bins[((share * BINS as f64) as usize).min(BINS - 1)] += 1.0;
        }
        bins
    }

    fn json(&self) -> serde_json::Value {
        let pairs = self.spectrum.as_ref().map(|(spectrum, origin)| {
            let groups: Vec<_> = spectrum
                .multiplicities(APART)
                .into_iter()
                .map(|(value, count)| json!({"value": value, "count": count}))
                .collect();
            json!({
                "count": spectrum.count(),
                "from_cache": *origin == Origin::Cache,
                "max_residual": spectrum.quality().worst_residual(),
                "orthogonality": spectrum.quality().orthogonality,
                "eigenvalues": spectrum.values(),
                "multiplicities": groups,
            })
        });
        json!({
            "graph": self.title,
            "nodes": self.matrix.size(),
            "matrix": self.matrix.kind().to_string(),
            "which": self.request.which.to_string(),
            "engine": self.choice.engine.to_string(),
            "reason": self.choice.reason,
            "seconds": self.seconds,
            "pairs": pairs,
            "density": {"from": -self.scale(), "to": self.scale(), "counts": self.histogram(), "exact": self.density.is_none()},
        })
    }

    fn page(&self) -> Vec<String> {
        let nodes = self.matrix.size();
        let wanted = match self.request.count_for(nodes) {
            _ if self.choice.engine == Engine::Chebyshev => "no eigenpairs".to_owned(),
            count if count == nodes => format!("all {nodes} eigenpairs"),
            count => format!("{count} of {nodes} eigenpairs ({})", self.request.which),
        };
        let title = format!("{} · {} · {wanted}", self.title, self.matrix.kind());
        let mut lines = vec![styled(TITLE, title)];
        let mut fact = |name: &str, text: String| {
            for (at, part) in wrapped(&text, 62).into_iter().enumerate() {
                let name = if at == 0 { name } else { "" };
                lines.push(format!("  {} {part}", styled(FAINT, format!("{name:<12}"))));
            }
        };
        fact("engine", format!("{}: {}", self.choice.engine, self.choice.reason));
        if let Some((spectrum, origin)) = &self.spectrum {
            let how = if *origin == Origin::Cache { "from the cache" } else { "computed" };
            fact("time", format!("{:.2} s, {how}", self.seconds));
            let quality = spectrum.quality();
            fact("residuals", format!("at most {:.1e}", quality.worst_residual()));
            fact("orthogonal", format!("to {:.1e}", quality.orthogonality));
        }
        lines.extend(self.picture());
        if let Some((spectrum, _)) = &self.spectrum {
            lines.extend(value_lines(spectrum));
        }
        lines
    }

    fn picture(&self) -> Vec<String> {
        let bins = self.histogram();
        let counted = self.density.is_none();
        let how = if counted { "counted" } else { "estimated for the whole spectrum" };
        let mut lines = vec![
            String::new(),
            format!(
                "{} {}",
                styled(HEADING, "density"),
                styled(FAINT, format!("({how}; height ∝ √count)"))
            ),
        ];
        let heights: Vec<f64> = bins.iter().map(|count| count.sqrt()).collect();
        let drawn = columns::draw(&heights, PICTURE_ROWS);
        lines.extend(drawn.into_iter().map(|row| format!("  {}", styled(BAR, row))));
        let (left, right) = (format!("{:.3}", -self.scale()), format!("{:.3}", self.scale()));
        let middle = BINS.saturating_sub(left.len() + right.len());
        lines.push(format!("  {}", styled(FAINT, format!("{left}{:^middle$}{right}", "σ = 0"))));
        lines
    }
}

fn value_lines(spectrum: &Spectrum) -> Vec<String> {
    let groups = spectrum.multiplicities(APART);
    let repeated = groups.iter().filter(|(_, count)| *count > 1).count();
    let mut lines = vec![
        String::new(),
        format!(
            "{} {}",
            styled(HEADING, "eigenvalues"),
            styled(FAINT, format!("({} distinct, {repeated} repeated)", groups.len()))
        ),
    ];
    let line = |(value, count): &(f64, usize)| {
        let times = if *count > 1 { format!("  ×{count}") } else { String::new() };
        format!("  {value:>12.6}{times}")
    };
    if groups.len() <= 2 * MOST_VALUES {
        lines.extend(groups.iter().map(line));
    } else {
        lines.extend(groups[..MOST_VALUES].iter().map(line));
        lines.push(format!("  {:>12}", "…"));
        lines.extend(groups[groups.len() - 4..].iter().map(line));
    }
    lines
}
