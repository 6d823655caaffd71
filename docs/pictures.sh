#!/usr/bin/env bash
# Makes the pictures of the documents again: docs/pictures.sh [PROGRAM]
set -euo pipefail
cd "$(dirname "$0")/.."
program=${1:-target/release/gesf-tui}
shot() { "$program" shot --force --theme dark "$@"; }

# Trained, gone back to epoch 20, another λ, and on from there.
branch='@ 2 0 enter : b a l a n c e space 1 enter 6 0 enter'
valjean="$(printf 'down %.0s' {1..11}) enter"

# The README.
shot sample_graphs/cora docs/overview.svg --glyphs pixel --size 180x50 --epochs 250
shot sample_graphs/cora docs/train.svg --glyphs pixel --screen train --epochs 100 --keys "$branch left left"
shot sample_graphs/cora docs/filter.svg --glyphs pixel --screen filter --epochs 200 --keys "right right"
shot sample_graphs/lesmis docs/node.svg --glyphs pixel --screen node --epochs 150 --size 140x42 --keys "$valjean"
shot sample_graphs/cora docs/map.svg --glyphs pixel --screen map --epochs 80
shot sample_graphs/karate docs/lab.svg --glyphs pixel --screen lab --epochs 60 --keys "space space space right enter"
shot sample_graphs/cora docs/runs.svg --glyphs pixel --screen train --epochs 100 --keys "$branch U down"

# Every screen at three sizes, in braille and in pixels.
mkdir -p docs/screens
for glyphs in braille pixel; do
  for size in 80x24 120x40 200x60; do
    screen() { # NAME GRAPH ARGUMENTS
      local out="docs/screens/$1-$size-$glyphs.svg"
      shot "sample_graphs/$2" "$out" --glyphs "$glyphs" --size "$size" "${@:3}"
    }
    screen overview lesmis --screen overview --epochs 250
    screen train lesmis --screen train --epochs 100 --keys "$branch"
    screen filter lesmis --screen filter --epochs 200 --keys "right right"
    screen node lesmis --screen node --epochs 150 --keys "$valjean"
    screen map lesmis --screen map --epochs 80
    screen lab karate --screen lab --epochs 60 --keys "5"
    screen runs lesmis --screen train --epochs 100 --keys "$branch U down"
  done
done
