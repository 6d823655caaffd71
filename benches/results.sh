#!/usr/bin/env bash
# The figures of docs/RESULTS.md: every method on the same splits, and the regret
# of the learned filter. A result that is there already is not computed again.
#
#   benches/results.sh OUT [BENCHMARKS] [DATASETS]      then benches/results.py OUT
#
# BENCHMARKS is a folder with the .npz files of the heterophily benchmark, DATASETS one
# with graphs that are not shipped. One thread a process, so that two can run side by
# side: PART=regret, compare, shares, features or types does one part. OTHER is a folder
# written by benches/peers/other_graphs.py.
set -euo pipefail
out=${1:?where to put the results}
benchmarks=${2:-}
datasets=${3:-}
part=${PART:-regret compare learned shares features types}
program=${GESF_TUI:-target/release/gesf-tui}
export RAYON_NUM_THREADS=1
mkdir -p "$out"

name() { basename "$1" .npz; }
keep() { # file command…
  [ -s "$1" ] && return
  "${@:2}" > "$1.part" && mv "$1.part" "$1" && echo "$1"
}
regret() { # graph seeds shares filters options…
  keep "$out/regret-$(name "$1").json" "$program" evaluate "$1" --labelled "$3" \
    --seeds "$2" --filters "$4,learned" "${@:5}" --json
}
compare() { # graph seeds shares methods
  keep "$out/compare-$(name "$1").json" "$program" compare "$1" --labelled "$3" \
    --seeds "$2" --methods "$4" --json
}
# GESF on the graphs of the main tables, whose baselines `compare` runs.
learned() { # graph seeds shares
  keep "$out/learned-$(name "$1").json" "$program" evaluate "$1" --labelled "$3" \
    --seeds "$2" --json
}
features() { # graph methods options…
  keep "$out/features-$(name "$1").json" "$program" compare "$1" --methods "$2" "${@:3}" \
    --set features=use --json
  keep "$out/structure-$(name "$1").json" "$program" compare "$1" --methods gesf "${@:3}" --json
}
form() { # filter
  keep "$out/form-$1.json" "$program" evaluate sample_graphs/cora --labelled 0.1 --seeds 10 \
    --set "filter=$1" --set dimension=64 --json
}

all=s,s2,s3,ppr,heat,low
if [[ $part == *regret* ]]; then
  for graph in email-eu cora; do regret sample_graphs/$graph 10 0.1,0.5 $all; done
  if [ -n "$benchmarks" ]; then
    for graph in chameleon_filtered texas_4_classes wisconsin; do
      regret "$benchmarks/$graph.npz" 10 0.1,0.5 $all
    done
  fi
  for graph in citeseer wikipedia; do
    regret sample_graphs/$graph 10 0.1,0.5 $all --set dimension=64
  done
  for filter in hops signed-hops monomial chebyshev bernstein residual-mlp mlp; do form $filter; done
  regret sample_graphs/pubmed 3 0.1,0.5 s,s2,s3
fi
if [[ $part == *compare* ]]; then
  # APPNP, made for features, has its place in the tables with features.
  baselines=majority,label-propagation,spectral,deepwalk,node2vec,mmdw,planetoid,gcn
  structure=$baselines,gesf
  if [ -n "$benchmarks" ]; then
    for graph in texas_4_classes wisconsin chameleon_filtered minesweeper; do
      compare "$benchmarks/$graph.npz" 10 0.1,0.5,0.9 $baselines
    done
  fi
  compare sample_graphs/email-eu 10 0.1,0.5,0.9 $baselines,appnp
  for graph in karate lesmis cora citeseer wikipedia pubmed; do
    compare sample_graphs/$graph 10 0.1,0.5,0.9 $baselines
  done
  compare sample_graphs/southern-women 20 0.3,0.5,0.7 metapath2vec++,$baselines
  if [ -n "$datasets" ]; then
    for graph in blogcatalog-words dblp; do
      compare "$datasets/$graph" 10 0.1,0.5,0.9 $baselines
    done
    # Spectral takes more than half an hour on 39 groups.
    compare "$datasets/blogcatalog3" 10 0.1,0.5,0.9 ${baselines/spectral,/}
  fi
  if [ -n "${OTHER:-}" ]; then
    for graph in fly-left iris wine adjnoun football polbooks polblogs serengeti-foodweb \
      digits fly-right mouse tumours unrelated unrelated-hubs weak; do
      compare "$OTHER/$graph" 10 0.1,0.5,0.9 $structure
    done
    for graph in counties debian; do
      compare "$OTHER/$graph" 5 0.1,0.5,0.9 ${structure/node2vec,/}
    done
    for graph in smooth noisy noise degree opposite tree diabetes petal proline area; do
      compare "$OTHER/$graph" 10 0.1,0.5,0.9 \
        majority,label-propagation,spectral,deepwalk,node2vec,gcn,gesf
    done
  fi
fi
if [[ $part == *learned* ]]; then
  for graph in email-eu karate lesmis cora citeseer wikipedia pubmed; do
    learned sample_graphs/$graph 10 0.1,0.5,0.9
  done
  if [ -n "$benchmarks" ]; then
    for graph in texas_4_classes wisconsin chameleon_filtered minesweeper; do
      learned "$benchmarks/$graph.npz" 10 0.1,0.5,0.9
    done
  fi
  learned sample_graphs/southern-women 20 0.3,0.5,0.7
  if [ -n "$datasets" ]; then
    for graph in blogcatalog3 blogcatalog-words dblp; do
      learned "$datasets/$graph" 10 0.1,0.5,0.9
    done
  fi
fi
if [[ $part == *shares* ]]; then
  for graph in email-eu cora citeseer wikipedia pubmed; do
    keep "$out/shares-$graph.json" "$program" compare sample_graphs/$graph --seeds 3 \
      --labelled 0.2,0.3,0.4,0.6,0.7,0.8 --methods label-propagation,mmdw,gcn,gesf --json
  done
fi
if [[ $part == *features* ]]; then
  rivals=majority,label-propagation,mlp,appnp,gcn,gesf
  if [ -n "$benchmarks" ]; then
    for graph in texas_4_classes wisconsin chameleon_filtered minesweeper; do
      features "$benchmarks/$graph.npz" $rivals --split all --labelled 0.5 --seeds 10
    done
  fi
  for pair in "cora 5" "citeseer 5"; do
    read -r graph seeds <<< "$pair"
    features sample_graphs/$graph $rivals --labelled 0.1,0.5 --seeds "$seeds"
    keep "$out/words-$graph.json" "$program" compare sample_graphs/$graph --methods gesf \
      --labelled 0.1,0.5 --seeds "$seeds" --set attributes=nodes --set matrix=relations \
      --set rarity=true --json
  done
fi
if [[ $part == *types* && -n $datasets ]]; then
  # What separate node types give is in `learned`.
  types() { # graph name seeds shares options…
    keep "$out/types-$1-$2.json" "$program" evaluate "$datasets/$1" --labelled "$4" \
      --seeds "$3" --json "${@:5}"
  }
  women() { # name options…
    keep "$out/types-southern-women-$1.json" "$program" evaluate sample_graphs/southern-women \
      --labelled 0.3,0.5,0.7 --seeds 20 --json "${@:2}"
  }
  women one --set node_types=merge
  women relations --set matrix=relations
  for graph in dblp blogcatalog-words; do
    types $graph one 5 0.1,0.5,0.9 --set node_types=merge
    types $graph relations 2 0.1 --set matrix=relations --set rarity=true
  done
fi
