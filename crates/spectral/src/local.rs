//! T_n(M)·e_v of one node v, restricted to its support: only nodes within n steps
//! are nonzero, and only they are touched.

use super::Sparse;

/// A vector that is 0 almost everywhere.
#[derive(Debug, Clone)]
struct Reached {
    /// Value and flag side by side: one memory access for both.
    entries: Vec<Entry>,
    nodes: Vec<u32>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Entry {
    value: f64,
    is_reached: bool,
}

impl Reached {
    fn new(size: usize) -> Self {
        Self { entries: vec![Entry::default(); size], nodes: Vec::new() }
    }

    fn add(&mut self, node: u32, value: f64) {
        let entry = &mut self.entries[node as usize];
        if !std::mem::replace(&mut entry.is_reached, true) {
            self.nodes.push(node);
        }
        entry.value += value;
    }

    fn value(&self, node: u32) -> f64 {
        self.entries[node as usize].value
    }

    fn clear(&mut self) {
        for node in self.nodes.drain(..) {
            self.entries[node as usize] = Entry::default();
        }
    }
}

/// The recurrence T_n = 2 y T_n-1 − T_n-2 with y = M / scale, starting at one node.
#[derive(Debug, Clone)]
pub(super) struct LocalRecurrence<'a> {
    matrix: &'a Sparse<f64>,
    scale: f64,
    now: Reached,
    before: Reached,
    degree: usize,
}

impl<'a> LocalRecurrence<'a> {
    pub(super) fn new(matrix: &'a Sparse<f64>, scale: f64) -> Self {
        let empty = Reached::new(matrix.size());
        Self { matrix, scale, now: empty.clone(), before: empty, degree: 0 }
    }

    /// T_0·e_v = e_v.
    pub(super) fn start(&mut self, node: u32) {
        self.now.clear();
        self.before.clear();
        self.now.add(node, 1.0);
        self.degree = 0;
    }

    /// The next term replaces this one.
    pub(super) fn advance(&mut self) {
        let (factor, keep) = if self.degree == 0 { (1.0, 0.0) } else { (2.0, -1.0) };
        for &node in &self.before.nodes {
            self.before.entries[node as usize].value *= keep;
        }
        for &node in &self.now.nodes {
            let value = factor / self.scale * self.now.value(node);
            let (columns, entries) = self.matrix.row(node as usize);
            for (&column, entry) in columns.iter().zip(entries) {
                self.before.add(column, value * entry);
            }
        }
        std::mem::swap(&mut self.now, &mut self.before);
        self.degree += 1;
    }

    /// ⟨T_n·e_v, T_n·e_v⟩ and ⟨T_n·e_v, T_n-1·e_v⟩.
    pub(super) fn products(&self) -> (f64, f64) {
        let (mut own, mut mixed) = (0.0, 0.0);
        for &node in &self.now.nodes {
            let value = self.now.value(node);
            own += value * value;
            mixed += value * self.before.value(node);
        }
        (own, mixed)
    }

    /// Adds factor times the term to a dense row.
    pub(super) fn add_to(&self, factor: f64, row: &mut [f64]) {
        for &node in &self.now.nodes {
            row[node as usize] += factor * self.now.value(node);
        }
    }
}

/// The cost of one node's terms up to each degree: matrix entries visited, at most
/// all of them per term.
pub(super) fn costs(matrix: &Sparse<f64>, most: usize) -> Vec<f64> {
    let stored = matrix.stored() as f64;
    let mut walks = vec![1.0; matrix.size()];
    let mut total = 0.0;
    let mut costs = vec![0.0];
    for _ in 0..most {
        let next = |row: usize| -> f64 {
            matrix.row(row).0.iter().map(|&column| walks[column as usize]).sum::<f64>().min(1e15)
        };
        walks = (0..matrix.size()).map(next).collect();
        total += walks.iter().map(|walks| walks.min(stored)).sum::<f64>();
        costs.push(total);
    }
    costs
}
