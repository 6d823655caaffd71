//! The model: R(v) = φ( Σ_u P_uv ψ(x_u) ), with one ψ and φ per node type, and with
//! ψ_f(f_v) added to the sum if nodes have features. The sum may be
//! split into a mean and a size.

use std::sync::Arc;

use candle_core::{DType, Device, Result, Tensor, Var};

use super::features::FeatureMap;
use super::maps::{Linear, Map};
use super::mean::{mean_and_size, phi_inputs};
use super::product::{DeviceVectors, product, watched_product};
use super::settings::{Aggregation, FilterLearning, NeighbourGradient, Settings};
use super::start::{Structure, start};
use super::two_layer::Inputs;
use super::{Calibration, Filter, Groups, Parameters, PreparedGraph, Task};
use gesf_graph::NodeId;
use gesf_spectral::{Engine, Operator};

/// Prefix of the parameters that belong to the filter.
pub(crate) const FILTER_PREFIX: &str = "rho.";

/// What models of several folds share: learned at withheld labels.
struct Shared {
    filter: Filter,
    calibration: Option<Calibration>,
    /// The score of β, if nodes have features.
    feature_share: Option<Var>,
}

/// A GESF model over a prepared graph.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use candle_core::Device;
/// use gesf_core::model::Gesf;
/// # let karate = concat!(env!("CARGO_MANIFEST_DIR"), "/../../sample_graphs/karate").as_ref();
/// # let (graph, _) = gesf_graph::load(karate, &Default::default())?;
/// # let graph = std::sync::Arc::new(graph);
/// # let settings = gesf_core::model::settings::Settings { epochs: 20, ..Default::default() };
/// # let prepared = gesf_core::model::PreparedGraph::prepare(
/// #     &graph, &settings, None, &Default::default(), &mut |_| {},
/// # )?;
/// let model = Gesf::new(&prepared, &settings, &Device::Cpu)?;
/// assert_eq!(model.embeddings(0).dims(), [34, 128]);
/// assert_eq!(model.task().outputs, 2);
/// // R has a row for every x: the prediction from the neighbourhood.
/// let said = model.reconstructed(&settings)?;
/// assert_eq!(said[0].dims(), model.embeddings(0).dims());
/// # Ok(()) }
/// ```
#[derive(Clone)]
pub struct Gesf {
    parameters: Parameters,
    groups: Arc<Groups>,
    task: Task,
    embeddings: Vec<Var>,
    psi: Vec<Map>,
    phi: Vec<Map>,
    features: Option<FeatureMap>,
    filter: Filter,
    calibration: Option<Calibration>,
    heads: Vec<Option<Linear>>,
    operator: Arc<dyn Operator>,
    aggregation: Aggregation,
    points: Tensor,
    on_device: Option<Arc<DeviceVectors>>,
    device: Device,
}

impl Gesf {
    /// An initialized model. Types without a labelled node get no head.
    pub fn new(prepared: &PreparedGraph, settings: &Settings, device: &Device) -> Result<Self> {
        Self::prefixed(prepared, settings, device, "")
    }

    /// The same with parameters whose names have this prefix.
    pub(crate) fn prefixed(
        prepared: &PreparedGraph,
        settings: &Settings,
        device: &Device,
        prefix: &str,
    ) -> Result<Self> {
        let mut parameters = Parameters::new(settings.seed, device).with_prefix(prefix.to_owned());
        let filter = Filter::new(&mut parameters, settings)?;
        let withholds =
            settings.filter.is_learned() && settings.filter_learning == FilterLearning::Withheld;
        let task = Task::of(&prepared.graph);
        let calibration = Calibration::new(&mut parameters, task.kind, task.outputs, withholds)?;
        let share = prepared.features.is_some().then(|| FeatureMap::share(&mut parameters));
        let shared = Shared { filter, calibration, feature_share: share.transpose()? };
        Self::with_shared(prepared, settings, parameters, shared)
    }

    /// Another initialized model that shares the filter of this one. Its own
    /// parameters have names with this prefix.
    pub(crate) fn sharing_filter(
        &self,
        prepared: &PreparedGraph,
        settings: &Settings,
        prefix: String,
    ) -> Result<Self> {
        let parameters = Parameters::new(settings.seed, &self.device).with_prefix(prefix);
        let shared = Shared {
            filter: self.filter.clone(),
            calibration: self.calibration.clone(),
            feature_share: self.features.as_ref().map(|own| own.score().clone()),
        };
        Self::with_shared(prepared, settings, parameters, shared)
    }

    fn with_shared(
        prepared: &PreparedGraph,
        settings: &Settings,
        mut parameters: Parameters,
        Shared { filter, calibration, feature_share }: Shared,
    ) -> Result<Self> {
        let device = &parameters.device().clone();
        let groups = Arc::new(Groups::of(&prepared.graph, device)?);
        let task = Task::of(&prepared.graph);
        let kinds = groups.count();
        let widths = settings.dimension.of_types(kinds, prepared.graph.node_count());
        let widest = widths.iter().copied().max().unwrap_or(0);
        let structure = Structure::of(settings, prepared, widest);
        let mut embeddings = Vec::with_capacity(kinds);
        for (kind, &width) in widths.iter().enumerate() {
            let nodes = groups.members(kind);
            let values = start(settings, &structure, (kind, nodes), width);
            embeddings.push(parameters.add(&format!("x.{kind}"), values, (nodes.len(), width))?);
        }
        let (activation, hidden) = (settings.activation, settings.hidden);
        let form = (settings.map_shape, activation);
        let aggregation = prepared.aggregations(settings)[0];
        let inputs = phi_inputs(&widths, aggregation);
        let (mut psi, mut phi, mut heads) = (Vec::new(), Vec::new(), Vec::new());
        let labelled = labelled_types(prepared, &groups);
        for (kind, &width) in widths.iter().enumerate() {
            let (own, name) = (&mut parameters, |part: &str| format!("{part}.{kind}"));
            psi.push(Map::new(own, &name("psi"), &Inputs::of(&[width]), hidden, width, form)?);
            phi.push(Map::new(own, &name("phi"), &inputs, hidden, width, form)?);
            let shape = (width, task.outputs);
            let head = || Linear::new(own, &name("head"), shape, 1.0);
            heads.push(labelled[kind].then(head).transpose()?);
        }
        let features = match (&prepared.features, feature_share) {
            (Some(features), Some(share)) => {
                Some(FeatureMap::new(&mut parameters, features, &widths, share)?)
            }
            _ => None,
        };
        let operator = prepared.operator.clone();
        let points = Tensor::from_slice(operator.points(), operator.points().len(), device)?;
        let by_vectors = !device.is_cpu() && prepared.choice.engine != Engine::Chebyshev;
        let on_device = match &prepared.spectrum {
            Some(spectrum) if by_vectors => Some(Arc::new(DeviceVectors::new(spectrum, device)?)),
            _ => None,
        };
        let device = device.clone();
        Ok(Self {
            parameters,
            groups,
            task,
            embeddings,
            psi,
            phi,
            features,
            filter,
            calibration,
            heads,
            operator,
            aggregation,
            points,
            on_device,
            device,
        })
    }

    /// All learned parameters.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// The nodes by type.
    pub fn groups(&self) -> &Arc<Groups> {
        &self.groups
    }

    /// The prediction task.
    pub fn task(&self) -> Task {
        self.task
    }

    /// x of every node of a type.
    pub fn embeddings(&self, kind: usize) -> &Var {
        &self.embeddings[kind]
    }

    /// ρ.
    pub fn filter(&self) -> &Filter {
        &self.filter
    }

    /// ψ of a type.
    pub fn psi(&self, kind: usize) -> &Map {
        &self.psi[kind]
    }

    /// φ of a type.
    pub fn phi(&self, kind: usize) -> &Map {
        &self.phi[kind]
    }

    /// ψ_f and the share of the features, if nodes have any.
    pub(crate) fn features(&self) -> Option<&FeatureMap> {
        self.features.as_ref()
    }

    /// β, the share of a node's own features in z, if nodes have features.
    pub fn feature_share(&self) -> Result<Option<f32>> {
        let Some(features) = &self.features else { return Ok(None) };
        let share = candle_nn::ops::sigmoid(features.score())?.to_device(&Device::Cpu)?;
        Ok(share.to_vec1::<f32>()?.first().copied())
    }

    /// The head of a type, if the type has labels.
    pub fn head(&self, kind: usize) -> Option<&Linear> {
        self.heads[kind].as_ref()
    }

    /// The calibration at withheld labels, if there are any.
    pub(crate) fn calibration(&self) -> Option<&Calibration> {
        self.calibration.as_ref()
    }

    /// The predictions for rows of a type, given the head outputs.
    pub(crate) fn predicted(&self, outputs: &Tensor) -> Result<Tensor> {
        match &self.calibration {
            Some(own) => own.corrected(outputs),
            None => Ok(outputs.clone()),
        }
    }

    /// Whether messages are summed or averaged.
    pub fn aggregation(&self) -> Aggregation {
        self.aggregation
    }

    fn takes_mean(&self) -> bool {
        self.aggregation == Aggregation::Mean
    }

    /// The device of the tensors.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// ρ at the operator's points, as P uses it.
    pub fn response(&self) -> Result<Tensor> {
        self.respond(&self.points)
    }

    /// ρ at the given points, as P uses it: times 2(1−β) if nodes have features.
    pub fn respond(&self, points: &Tensor) -> Result<Tensor> {
        let response = self.filter.respond(points)?;
        match &self.features {
            None => Ok(response),
            Some(features) => response.broadcast_mul(&features.factors()?.0),
        }
    }

    /// ψ_f(f) of every node in the block of its type, in graph order, and its weight
    /// 2β; `None` without features.
    fn own_features(&self) -> Result<Option<(Tensor, Tensor)>> {
        let Some(features) = &self.features else { return Ok(None) };
        let mut own = self.groups.join(&features.forward(&self.embeddings)?)?;
        if self.takes_mean() {
            own = own.pad_with_zeros(1, 0, 1)?;
        }
        Ok(Some((own, features.factors()?.1)))
    }

    /// ψ(x) of every node in graph order, with a block of columns per type.
    fn messages(&self, gradient: NeighbourGradient) -> Result<Tensor> {
        let blocks: Vec<Tensor> = self
            .embeddings
            .iter()
            .zip(&self.psi)
            .map(|(x, psi)| match gradient {
                NeighbourGradient::Joint => psi.forward(x),
                NeighbourGradient::Alternating => psi.forward(&x.detach()),
            })
            .collect::<Result<_>>()?;
        self.groups.join(&blocks)
    }

    /// Sets the biases of the heads to the log odds of the classes. Where most classes
    /// of a node are absent, embeddings need not all move away from them first.
    pub(crate) fn start_at_shares(&self, log_odds: &Tensor) -> Result<()> {
        self.heads.iter().flatten().try_for_each(|head| head.bias().set(log_odds))
    }

    /// z but for the own features, given P·ψ(x) and P·1, which only a mean needs.
    fn aggregated(
        &self,
        sums: Tensor,
        sizes: Option<Tensor>,
        held: impl Fn(Tensor) -> Tensor,
    ) -> Result<Tensor> {
        let Some(sizes) = sizes else { return Ok(sums) };
        match &self.features {
            None => mean_and_size(&sums, &sizes),
            // A factor in P cancels out, so it is applied again.
            Some(own) => mean_and_size(&sums.broadcast_mul(&held(own.factors()?.0))?, &sizes),
        }
    }

    /// A one for every node: P·1 are the sums of its rows. Only a mean needs them.
    fn ones(&self) -> Result<Option<Tensor>> {
        let shape = (self.operator.nodes(), 1);
        self.takes_mean().then(|| Tensor::ones(shape, DType::F32, &self.device)).transpose()
    }

    /// R of every node, by type; with a gradient to the filter if it is learned
    /// jointly.
    pub fn reconstructed(&self, settings: &Settings) -> Result<Vec<Tensor>> {
        let response = self.response()?;
        let joint = settings.filter_learning == FilterLearning::Joint;
        let held = |tensor: Tensor| if joint { tensor } else { tensor.detach() };
        let (vectors, response) = (self.on_device.as_deref(), held(response));
        let of = |signal: &Tensor| {
            product(&self.operator, vectors, &response, signal, settings.self_term)
        };
        let sums = of(&self.messages(settings.neighbour_gradient)?)?;
        let sizes = self.ones()?.as_ref().map(of).transpose()?;
        let mut gathered = self.aggregated(sums, sizes, held)?;
        if let Some((own, weight)) = self.own_features()? {
            gathered = (gathered + own.broadcast_mul(&held(weight))?)?;
        }
        self.combined(&gathered)
    }

    /// R of every node, by type, and z of the watched nodes as a function of only
    /// the filter and the share of the features.
    pub(crate) fn reconstructed_and_watched(
        &self,
        settings: &Settings,
        watched: &Arc<[u32]>,
    ) -> Result<(Vec<Tensor>, Tensor)> {
        let (response, self_term) = (self.response()?, settings.self_term);
        let of = |signal: &Tensor| {
            watched_product(&self.operator, &response, signal, self_term, watched)
        };
        let (sums, rows) = of(&self.messages(settings.neighbour_gradient)?)?;
        let (sizes, sizes_of_rows) = self.ones()?.as_ref().map(of).transpose()?.unzip();
        let mut gathered = self.aggregated(sums, sizes, |tensor| tensor.detach())?;
        let mut rows = self.aggregated(rows, sizes_of_rows, |tensor| tensor)?;
        if let Some((own, weight)) = self.own_features()? {
            gathered = (gathered + own.broadcast_mul(&weight.detach())?)?;
            let nodes = Tensor::new(watched.as_ref(), &self.device)?;
            let own = own.detach().index_select(&nodes, 0)?;
            rows = (rows + own.broadcast_mul(&weight)?)?;
        }
        Ok((self.combined(&gathered)?, rows))
    }

    fn combined(&self, gathered: &Tensor) -> Result<Vec<Tensor>> {
        let gathered = self.groups.part(gathered)?;
        gathered.iter().zip(&self.phi).map(|(z, phi)| phi.forward(z)).collect()
    }
}

fn labelled_types(prepared: &PreparedGraph, groups: &Groups) -> Vec<bool> {
    let labels = prepared.graph.labels();
    (0..groups.count())
        .map(|kind| groups.members(kind).iter().any(|&node| labels.is_labelled(NodeId(node))))
        .collect()
}
