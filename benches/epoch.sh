#!/usr/bin/env bash
# One epoch on Cora and Pubmed (k = 1000, d = 64, full batch) beside the same
# maths in PyTorch, turn by turn in one run.
# Usage: PYTHON=path/to/python-with-torch benches/epoch.sh [ROUNDS]
set -euo pipefail
cd "$(dirname "$0")/.."
rounds=${1:-3}
threads=${THREADS:-2}
export RAYON_NUM_THREADS=$threads OMP_NUM_THREADS=$threads
cargo build --release --quiet --bench epoch
field() { sed -n "s/^$2 //p" <<<"$1"; }
measure() {
  for _ in $(seq "$rounds"); do
    ours=$(cargo bench --quiet --bench epoch -- "sample_graphs/$1")
    theirs=$("${PYTHON:-python3}" benches/peers/epoch.py "$2" "$3" 1000 "$threads" 2>/dev/null)
    awk -v name="$1" -v a="$(field "$ours" median_ms)" -v b="$(field "$theirs" median_ms)" \
      -v c="$(field "$ours" best_ms)" -v d="$(field "$theirs" best_ms)" -v p="$(field "$ours" products_median_ms)" \
      'BEGIN { printf "%-8s ours %7.2f ms (products %.2f), PyTorch %7.2f ms, ratio %.2f (bar: 0.8); best %.2f, %.2f ms, ratio %.2f\n", name, a, p, b, a / b, c, d, c / d }'
  done
}
measure cora 2708 7
measure pubmed 19717 3
