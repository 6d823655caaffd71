#!/usr/bin/env bash
# The block engine beside SciPy's eigsh in one run: 1000 highest eigenpairs of
# Pubmed's sym-loops matrix. Prints both lines and the ratio of their times.
#
#   benches/spectrum.sh [GRAPHS_FOLDER]     (PYTHON names the interpreter)
set -euo pipefail
cd "$(dirname "$0")/.."
graphs=${1:-sample_graphs}
threads=${THREADS:-2}
export RAYON_NUM_THREADS=$threads OMP_NUM_THREADS=$threads OPENBLAS_NUM_THREADS=$threads
ours=$(GESF_GRAPHS=$graphs cargo bench --quiet --bench spectrum -- headline | tail -n 1)
echo "$ours"
theirs=$("${PYTHON:-python3}" benches/peers/eigsh.py "$graphs/pubmed" 1000)
echo "$theirs"
seconds() { grep -oE '[0-9]+\.[0-9]+ s' | head -n 1 | cut -d' ' -f1; }
echo "ratio          $(echo "$(echo "$ours" | seconds) $(echo "$theirs" | seconds)" | awk '{printf "%.4f", $1 / $2}') (bar: 0.06)"
