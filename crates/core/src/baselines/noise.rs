//! Negative samples: drawn by how often nodes are visited, to the power ¾, among
//! nodes of the same kind.

use rand_chacha::ChaCha8Rng;

use super::alias::Alias;

/// Nodes to draw, by kind.
#[derive(Debug, Clone, Default)]
pub(super) struct Noise {
    kinds: Vec<(Vec<u32>, Alias)>,
    of: Vec<u16>,
}

const POWER: f64 = 0.75;

impl Noise {
    /// Samples of one kind, by how often each node is visited.
    pub(super) fn single(often: &[f64]) -> Self {
        Self::by_kind(often, vec![0; often.len()])
    }

    /// The same where a node is only replaced by one of its kind.
    pub(super) fn by_kind(often: &[f64], of: Vec<u16>) -> Self {
        let count = of.iter().copied().max().map_or(0, |most| most as usize + 1);
        let mut members: Vec<Vec<u32>> = vec![Vec::new(); count];
        for (node, &kind) in of.iter().enumerate() {
            members[kind as usize].push(node as u32);
        }
        let table = |nodes: Vec<u32>| {
            let weights = nodes.iter().map(|&node| often[node as usize].powf(POWER));
            let alias = Alias::new(weights);
            (nodes, alias)
        };
        Self { kinds: members.into_iter().map(table).collect(), of }
    }

    /// A random node of the same kind as another.
    #[inline]
    pub(super) fn draw(&self, like: u32, random: &mut ChaCha8Rng) -> u32 {
        let (nodes, alias) = &self.kinds[self.of[like as usize] as usize];
        nodes[alias.draw(random)]
    }
}
