#!/usr/bin/env bash
# How the defaults of start, step size and length were chosen: sweeps that judge
# on validation labels alone, over sample graphs, generated ones and any others.
#
#   benches/defaults.sh OUT [FOLDER OF GRAPHS …]
#
# Half of the training labels validate: of 20 % and 90 % of all labels, 10 % and
# 45 % are trained on. Seeds begin at 100, so that no split is that of a table.
set -euo pipefail
out=${1:?where to put the results}
shift
program=${GESF_TUI:-target/release/gesf-tui}
mkdir -p "$out/graphs"
"$program" generate sbm "$out/graphs/tiny" --nodes 32 --classes 2 --mean-degree 5
"$program" generate sbm "$out/graphs/small" --nodes 105 --inside 0.6 --seed 1
"$program" generate sbm "$out/graphs/heterophilous" --nodes 300 --inside 0.1 --seed 2
"$program" generate sbm "$out/graphs/many" --nodes 1500 --classes 18 --mean-degree 12 --inside 0.45 --seed 3

sweep() { # graph seeds grid…
  local graph=$1 seeds=$2 name
  shift 2
  name=$(basename "$graph")
  "$program" sweep "$graph" --labelled 0.2,0.9 --validate 0.5 --seeds "$seeds" \
    --first-seed 100 --json "$@" > "$out/$name.json"
  echo "$name"
}

rates=(--grid start_size=0.01,0.05,0.2 --grid learning_rate=0.01,0.02,0.05)
for graph in "$out"/graphs/* sample_graphs/karate "$@"; do
  sweep "$graph" 10 "${rates[@]}"
done
for graph in sample_graphs/email-eu sample_graphs/cora; do
  sweep "$graph" 3 "${rates[@]}"
done

# Whether to use features, and how much to penalise their map. BENCHMARKS is a folder
# with the .npz files of the heterophily benchmark.
features() { # graph seeds
  local name
  name=$(basename "$1" .npz)
  "$program" sweep "$1" --labelled 0.2,0.9 --validate 0.5 --seeds "$2" --first-seed 100 \
    --json --grid features=ignore,use > "$out/features-$name.json"
  "$program" sweep "$1" --labelled 0.2,0.9 --validate 0.5 --seeds "$2" --first-seed 100 \
    --json --set features=use --grid feature_penalty=0.0003,0.003 > "$out/penalty-$name.json"
  echo "$name, features"
}
if [ -n "${BENCHMARKS:-}" ]; then
  for graph in texas_4_classes wisconsin chameleon_filtered; do
    features "$BENCHMARKS/$graph.npz" 10
  done
fi
for graph in cora citeseer; do features sample_graphs/$graph 3; done
