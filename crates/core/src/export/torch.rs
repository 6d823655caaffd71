//! The model as one Python file and a safetensors file, to use in PyTorch without
//! this program.
//!
//! `gesf.py` is the same for every run; `gesf.safetensors` has the parameters, the
//! matrix of the graph, the filter, and in its header what the numbers mean.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use safetensors::tensor::{Dtype, TensorView};
use serde_json::{Value, json};

use super::ExportError;
use crate::model::settings::{Activation, MapShape};
use crate::model::{FEATURE_SHARE, OFFSET, SHRINKAGE, shares};
use crate::train::{SavedParameter, TrainError, Trainer};
use gesf_graph::files::write_atomically;
use gesf_graph::{Classes, Graph, LabelKind};
use gesf_spectral::{Matrix, SelfTerm};

/// The Python file.
const MODULE: &str = include_str!("../../../../assets/export/gesf.py");
const MODULE_FILE: &str = "gesf.py";
const TENSORS_FILE: &str = "gesf.safetensors";
/// The entry of the header that describes the model. It is the only one, so that the
/// file is deterministic.
const FACTS: &str = "gesf";
/// Changes when `gesf.py` of an older version cannot read the file.
const FORMAT: u32 = 2;
/// The name used in errors.
const NAME: &str = "export --as torch";

/// Named tensors, as bytes.
#[derive(Default)]
struct Tensors(Vec<(String, Dtype, Vec<usize>, Vec<u8>)>);

impl Tensors {
    fn add<T: bytemuck::NoUninit>(
        &mut self,
        name: impl Into<String>,
        dtype: Dtype,
        shape: &[usize],
        values: &[T],
    ) {
        let bytes = bytemuck::cast_slice(values).to_vec();
        self.0.push((name.into(), dtype, shape.to_vec(), bytes));
    }

    fn to_bytes(&self, facts: &Value) -> Result<Vec<u8>, safetensors::SafeTensorError> {
        let mut views = Vec::with_capacity(self.0.len());
        for (name, dtype, shape, bytes) in &self.0 {
            views.push((name.as_str(), TensorView::new(*dtype, shape.clone(), bytes)?));
        }
        let header = HashMap::from([(FACTS.to_owned(), facts.to_string())]);
        safetensors::serialize(views, Some(header))
    }
}

/// Writes the model as `gesf.py` and `gesf.safetensors`. Returns the written files.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use gesf_core::export::write_torch;
/// # let karate = concat!(env!("CARGO_MANIFEST_DIR"), "/../../sample_graphs/karate").as_ref();
/// # let (graph, _) = gesf_graph::load(karate, &Default::default())?;
/// # let graph = std::sync::Arc::new(graph);
/// # let settings = gesf_core::model::settings::Settings { epochs: 20, ..Default::default() };
/// # let prepared = gesf_core::model::PreparedGraph::prepare(
/// #     &graph, &settings, None, &Default::default(), &mut |_| {},
/// # )?;
/// # let mut trainer = gesf_core::train::Trainer::new(prepared, settings)?;
/// while !trainer.is_done() {
///     trainer.step()?;
/// }
/// let folder = tempfile::tempdir()?;
/// let written = write_torch(&trainer, folder.path())?;
/// assert!(written[0].ends_with("gesf.py") && written[1].ends_with("gesf.safetensors"));
/// # Ok(()) }
/// ```
pub fn write_torch(trainer: &Trainer, folder: &Path) -> Result<Vec<PathBuf>, ExportError> {
    let stage = trainer.filter_stage().epochs();
    if trainer.epoch() < stage {
        return Err(unsupported(
            format!("a run at epoch {} of its filter stage", trainer.epoch()),
            format!("a run after epoch {stage}, when all training labels are used"),
            "continue the run: gesf-tui train --resume RUN".to_owned(),
        ));
    }
    let mut tensors = Tensors::default();
    add_parameters(&mut tensors, &trainer.view()?.parameters)?;
    add_nodes(&mut tensors, trainer);
    add_features(&mut tensors, trainer);
    let filter = add_filter(&mut tensors, trainer)?;
    let facts = facts(trainer, filter)?;
    let bytes = tensors.to_bytes(&facts).map_err(|error| {
        let expected = "tensors within the limits of the format".to_owned();
        unsupported(error.to_string(), expected, "export embeddings instead".to_owned())
    })?;
    let files = [(MODULE_FILE, MODULE.as_bytes()), (TENSORS_FILE, bytes.as_slice())];
    let write = |(name, bytes): (&str, &[u8])| {
        let path = folder.join(name);
        let written = write_atomically(&path, |out| out.write_all(bytes));
        written.map_err(|error| ExportError::Disk { path: path.clone(), error })?;
        Ok(path)
    };
    files.into_iter().map(write).collect()
}

fn unsupported(found: String, expected: String, advice: String) -> ExportError {
    ExportError::Unsupported { format: NAME, found, expected, advice }
}

/// Embeddings, maps, heads and the class prior. The filter is written by its values.
fn add_parameters(tensors: &mut Tensors, parameters: &[SavedParameter]) -> Result<(), ExportError> {
    for own in parameters {
        let part = own.name.split('.').next().unwrap_or_default();
        match part {
            "x" | "psi" | "psi_f" | "phi" | "head" => {
                tensors.add(&own.name, Dtype::F32, &own.shape, &own.values);
            }
            "rho" if own.name == OFFSET => {
                tensors.add("prior", Dtype::F32, &own.shape, &own.values);
            }
            "rho" if own.name == FEATURE_SHARE => {
                let factor = own.values.first().map_or(1.0, |score| shares(*score).1);
                tensors.add("features.factor", Dtype::F32, &[1], &[factor]);
            }
            "rho" if own.name == SHRINKAGE => {
                tensors.add("shrinkage", Dtype::F32, &own.shape, &own.values);
            }
            "rho" => {}
            // `gesf.py` would silently leave out what it does not know.
            _ => {
                return Err(unsupported(
                    format!("the parameter `{}`", own.name),
                    "only embeddings, ψ, ψ_f, φ, the filter and heads".to_owned(),
                    "export the embeddings instead: omit --as torch".to_owned(),
                ));
            }
        }
    }
    Ok(())
}

/// The nodes of each type, and the ids of all.
fn add_nodes(tensors: &mut Tensors, trainer: &Trainer) {
    let graph = &trainer.prepared().graph;
    let groups = trainer.model().groups();
    for kind in 0..groups.count() {
        let nodes: Vec<i64> = groups.members(kind).iter().map(|&node| i64::from(node)).collect();
        tensors.add(format!("nodes.{kind}"), Dtype::I64, &[nodes.len()], &nodes);
    }
    let (mut text, mut ends) = (String::new(), Vec::with_capacity(graph.node_count()));
    for id in graph.ids().iter() {
        text.push_str(id);
        ends.push(text.len() as i64);
    }
    tensors.add("ids.text", Dtype::U8, &[text.len()], text.as_bytes());
    tensors.add("ids.ends", Dtype::I64, &[ends.len()], &ends);
}

/// The non-zero features of the nodes of each type, as the model uses them.
fn add_features(tensors: &mut Tensors, trainer: &Trainer) {
    let Some(features) = &trainer.prepared().features else { return };
    for kind in 0..trainer.model().groups().count() {
        let Some(own) = features.of_type(kind) else { continue };
        let (mut rows, mut columns, mut values) = (Vec::new(), Vec::new(), Vec::new());
        for row in 0..own.rows.rows() {
            let (own_columns, own_values) = own.rows.row(row);
            rows.extend(std::iter::repeat_n(row as i64, own_columns.len()));
            columns.extend(own_columns.iter().map(|&column| i64::from(column)));
            values.extend_from_slice(own_values);
        }
        tensors.add(format!("features.{kind}.rows"), Dtype::I64, &[rows.len()], &rows);
        tensors.add(format!("features.{kind}.columns"), Dtype::I64, &[columns.len()], &columns);
        tensors.add(format!("features.{kind}.values"), Dtype::F32, &[values.len()], &values);
    }
}

/// P: the matrix of the graph with the coefficients of a polynomial, or eigenvectors
/// with ρ at their eigenvalues; and its diagonal, if the model drops it. Returns the
/// name of the form.
fn add_filter(tensors: &mut Tensors, trainer: &Trainer) -> Result<&'static str, ExportError> {
    let prepared = trainer.prepared();
    let operator = &prepared.operator;
    let response = trainer.filter_at(operator.points())?;
    let spectral =
        |error| ExportError::Train(TrainError::from(crate::model::ModelError::from(error)));
    if trainer.settings().self_term == SelfTerm::Drop {
        let diagonal = operator.diagonal(&response).map_err(spectral)?.values;
        tensors.add("filter.diagonal", Dtype::F32, &[diagonal.len()], &diagonal);
    }
    if let Some(coefficients) = operator.coefficients(&response).map_err(spectral)? {
        tensors.add("filter.coefficients", Dtype::F64, &[coefficients.len()], &coefficients);
        add_matrix(tensors, &prepared.matrix);
        return Ok("polynomial");
    }
    let Some(spectrum) = &prepared.spectrum else {
        return Err(unsupported(
            "a filter that is neither a polynomial nor made of eigenvectors".to_owned(),
            "one of the two".to_owned(),
            "train with another setting of `filter`".to_owned(),
        ));
    };
    let shape = [spectrum.nodes(), spectrum.count()];
    tensors.add("filter.vectors", Dtype::F32, &shape, spectrum.vectors());
    tensors.add("filter.response", Dtype::F32, &[response.len()], &response);
    Ok("eigenvectors")
}

/// The non-zero entries of M.
fn add_matrix(tensors: &mut Tensors, matrix: &Matrix) {
    let entries = matrix.entries();
    let stored = entries.stored();
    let (mut rows, mut columns) = (Vec::with_capacity(stored), Vec::with_capacity(stored));
    let mut values: Vec<f64> = Vec::with_capacity(stored);
    for row in 0..matrix.size() {
        let (own_columns, own_values) = entries.row(row);
        rows.extend(std::iter::repeat_n(row as i64, own_columns.len()));
        columns.extend(own_columns.iter().map(|&column| i64::from(column)));
        values.extend(own_values);
    }
    tensors.add("matrix.rows", Dtype::I64, &[rows.len()], &rows);
    tensors.add("matrix.columns", Dtype::I64, &[columns.len()], &columns);
    tensors.add("matrix.values", Dtype::F64, &[values.len()], &values);
}

/// What the numbers mean.
fn facts(trainer: &Trainer, filter: &str) -> Result<Value, ExportError> {
    let prepared = trainer.prepared();
    let graph: &Graph = &prepared.graph;
    let settings = trainer.settings();
    let labels = match graph.labels().kind() {
        LabelKind::None => "none",
        LabelKind::One => "one",
        LabelKind::Several => "several",
        LabelKind::Numeric => "numeric",
    };
    let activation = match settings.activation {
        Activation::Tanh => "tanh",
        Activation::Relu => "relu",
    };
    let hop_weights = trainer.model().filter().hop_weights(settings.degree);
    let hop_weights = hop_weights.map_err(TrainError::from)?;
    let units = trainer.units();
    Ok(json!({
        "format": FORMAT,
        "program": concat!("gesf-tui ", env!("CARGO_PKG_VERSION")),
        "graph": format!("{:016x}", graph.fingerprint()),
        "epoch": trainer.epoch(),
        "types": graph.types().names(),
        "labels": labels,
        "classes": graph.labels().classes().map(Classes::names).unwrap_or_default(),
        "mean": units.mean,
        "deviation": units.deviation,
        "activation": activation,
        "residual": settings.map_shape == MapShape::Residual,
        "aggregation": trainer.model().aggregation().to_string(),
        "matrix": prepared.matrix.kind().to_string(),
        "filter": filter,
        "scale": prepared.operator.scale(),
        "hop_weights": hop_weights,
    }))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::model::PreparedGraph;
    use crate::model::settings::Settings;
    use gesf_graph::{LoadOptions, load};
    use gesf_spectral::Cancel;

    #[test]
    fn a_run_in_its_filter_stage_is_refused() {
        let karate = concat!(env!("CARGO_MANIFEST_DIR"), "/../../sample_graphs/karate");
        let (graph, _) = load(karate.as_ref(), &LoadOptions::default()).unwrap();
        let (settings, cancel) = (Settings::default(), Cancel::default());
        let graph = Arc::new(graph);
        let prepared = PreparedGraph::prepare(&graph, &settings, None, &cancel, &mut |_| {});
        let trainer = Trainer::new(prepared.unwrap(), settings).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let said = write_torch(&trainer, folder.path()).unwrap_err().to_string();
        assert!(said.contains("filter stage") && said.contains("--resume"), "{said}");
    }

    #[test]
    fn a_parameter_that_the_module_does_not_know_is_refused() {
        let saved = |name: &str| SavedParameter { name: name.into(), ..SavedParameter::default() };
        let mut tensors = Tensors::default();
        let known = ["x.0", "psi.0.1.weight", "rho.hops", "rho.offset", "head.0.bias"].map(saved);
        assert!(add_parameters(&mut tensors, &known).is_ok());
        let names: Vec<&str> = tensors.0.iter().map(|own| own.0.as_str()).collect();
        assert_eq!(names, ["x.0", "psi.0.1.weight", "prior", "head.0.bias"]);
        let said = add_parameters(&mut tensors, &[saved("gate.0")]).unwrap_err().to_string();
        assert!(said.contains("`gate.0`"), "{said}");
    }
}
