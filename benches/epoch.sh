#!/usr/bin/env bash
# One epoch on Cora (d = 128) and Pubmed (d = 64), full batch, hop weights settled, beside the
# same maths in PyTorch with sparse CSR products, turn by turn in one run; the
# time to the first epoch without a cache; one sparse product beside SciPy's.
# Usage: PYTHON=path/to/python-with-torch-and-scipy benches/epoch.sh [ROUNDS]
set -euo pipefail
cd "$(dirname "$0")/.."
rounds=${1:-3}
threads=${THREADS:-2}
export RAYON_NUM_THREADS=$threads OMP_NUM_THREADS=$threads
cargo build --release --quiet --bench epoch
echo "load $(cut -d' ' -f1-3 /proc/loadavg); busiest other processes:"
ps -eo pcpu,comm --sort=-pcpu --no-headers | head -3
field() { sed -n "s/^$2 //p" <<<"$1"; }
measure() {
  for _ in $(seq "$rounds"); do
    ours=$(cargo bench --quiet --bench epoch -- "sample_graphs/$1")
    theirs=$("${PYTHON:-python3}" benches/peers/epoch.py "sample_graphs/$1" "$2" "$threads" 2>/dev/null)
    awk -v name="$1" -v a="$(field "$ours" median_ms)" -v b="$(field "$theirs" median_ms)" \
      -v c="$(field "$ours" best_ms)" -v d="$(field "$theirs" best_ms)" \
      -v e="$(field "$ours" first_epoch_ms)" -v f="$(field "$ours" first_stage_ms)" \
      -v g="$(field "$ours" product_processor_ms)" -v h="$(field "$theirs" scipy_product_ms)" \
      'BEGIN { printf "%-7s first epoch after %.0f ms; epoch %.2f ms, first stage %.2f ms; PyTorch %.2f ms, ratio %.2f (bar 0.6); best %.2f, %.2f ms, ratio %.2f; product %.2f ms of processor, SciPy %.2f ms, ratio %.2f (bar 1.1)\n", name, e, a, f, b, a / b, c, d, c / d, g, h, g / h }'
  done
}
measure cora 7
measure pubmed 3
