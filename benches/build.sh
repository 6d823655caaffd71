#!/usr/bin/env bash
# How long an incremental build takes after a change in a screen and in the
# trainer: a constant is added to the file, the program and its tests are built,
# and the file is put back.
#
#   benches/build.sh [ROUNDS]
set -eu
rounds=${1:-3}
screen=src/tui/views/curves.rs
trainer=$(ls src/train/trainer/mod.rs crates/*/src/train/trainer/mod.rs 2>/dev/null | head -1)
for round in $(seq "$rounds"); do
  for file in "$screen" "$trainer"; do
    for what in "build" "test --no-run"; do
      cargo $what -q 2>/dev/null
      cp "$file" "$file.before"
      echo "#[allow(dead_code)] const ROUND: usize = $round;" >> "$file"
      start=$(date +%s.%N)
      cargo $what -q 2>/dev/null || true
      end=$(date +%s.%N)
      mv "$file.before" "$file"
      printf '%s\tcargo %s\t%.1f s\n' "$file" "$what" "$(python3 -c "print($end - $start)")"
    done
  done
done
