#!/usr/bin/env bash
# Loading 10 million edges against polars parsing the same file into two columns.
# Usage: PYTHON=path/to/python-with-polars benches/load.sh
set -euo pipefail
cd "$(dirname "$0")/.."
python=${PYTHON:-python3}
file=$(mktemp --suffix .edgelist)
trap 'rm -f "$file"' EXIT
cargo build --release --quiet
cargo run --release --quiet -- generate rmat --nodes 1000000 --edges 10000000 --seed 1 "$file"
ours=$(cargo bench --quiet --bench load -- "$file")
theirs=$("$python" benches/peers/parse_edges.py "$file")
echo "ours"; echo "$ours"
echo "polars"; echo "$theirs"
field() { sed -n "s/^$2 //p" <<<"$1"; }
awk -v a="$(field "$ours" median_seconds)" -v b="$(field "$theirs" median_seconds)" \
  'BEGIN { printf "ratio of medians: %.2f (bar: 2)\n", a / b }'
