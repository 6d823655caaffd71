//! The room of the model: what GESF computes, and every choice in it.
//!
//! In: a graph's [`Operator`](crate::spectral::Operator) and labels. Out: the
//! loss of Eq. 5 and its gradients, predictions, embeddings.

pub mod settings;
