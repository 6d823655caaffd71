#!/bin/sh
# Runs every fuzz target in turn and prints how often each was executed.
#
#     tests/fuzz/run.sh [SECONDS [TARGET...]]
#
# SECONDS is the time for each target, 60 unless given. Needs `cargo install
# cargo-fuzz`. On a stable toolchain the address sanitizer is left out; set
# SANITIZER=address to use it where it is available.
set -eu

seconds=${1:-60}
[ $# -gt 0 ] && shift
cd "$(dirname "$0")/../.."
fuzz=tests/fuzz
sanitizer=${SANITIZER:-none}
export RUSTC_BOOTSTRAP=1

targets=${*:-$(sed -n 's/^name = "\(.*\)"$/\1/p' $fuzz/Cargo.toml | grep -v -e '^gesf-tui-fuzz$' -e '^check$')}

# The fixtures a target starts from: those of its format, or all of them.
seeds_of() {
    case $1 in
    linqs_content) echo linqs ;;
    table) echo edge_list ;;
    decode | manifest | attributes) echo . ;;
    *) echo "$1" ;;
    esac
}

failed=""
for target in $targets; do
    corpus=$fuzz/corpus/$target
    mkdir -p "$corpus"
    seeds=tests/fixtures/$(seeds_of "$target")
    # Copied flat under distinct names, for libFuzzer looks into one folder.
    if [ -d "$seeds" ]; then
        find "$seeds" -type f | while read -r file; do
            cp "$file" "$corpus/seed_$(echo "$file" | tr '/' '_')"
        done
    fi
    log=$fuzz/corpus/$target.log
    if cargo fuzz run --fuzz-dir $fuzz --sanitizer "$sanitizer" "$target" "$corpus" -- \
        -max_total_time="$seconds" -rss_limit_mb=2048 -timeout=10 -max_len=65536 \
        -print_final_stats=1 >"$log" 2>&1; then
        verdict=ok
    else
        verdict="FAILED, see $log"
        failed="$failed $target"
    fi
    executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log" | tail -n 1)
    printf '%-16s %12s executions  %s\n' "$target" "${executions:-0}" "$verdict"
done
[ -z "$failed" ]
