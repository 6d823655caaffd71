#!/usr/bin/env bash
# Makes the pictures of the README again: docs/pictures.sh [PROGRAM]
set -euo pipefail
cd "$(dirname "$0")/.."
program=${1:-target/release/gesf-tui}
shot() { "$program" shot --force --theme dark --glyphs braille "$@"; }

# Trained, gone back to epoch 20, another λ, and on from there.
branch='@ 2 0 enter : b a l a n c e space 1 enter 6 0 enter'
shot sample_graphs/cora docs/overview.svg --size 180x50 --epochs 250
shot sample_graphs/cora docs/train.svg --screen train --epochs 100 --keys "$branch left left"
shot sample_graphs/cora docs/filter.svg --screen filter --epochs 200 --keys "right right"
shot sample_graphs/lesmis docs/node.svg --screen node --epochs 150 --size 140x42 --keys "$(printf 'down %.0s' {1..11}) enter"
shot sample_graphs/cora docs/map.svg --screen map --epochs 80
shot sample_graphs/karate docs/lab.svg --screen lab --epochs 60 --keys "space space space right enter"
shot sample_graphs/cora docs/runs.svg --screen train --epochs 100 --keys "$branch U down"
