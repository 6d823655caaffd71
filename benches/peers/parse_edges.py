"""Parse an edge list into two columns with polars: the yardstick for loading."""

import sys
import time

import polars

times = []
for _ in range(5):
    start = time.perf_counter()
    frame = polars.read_csv(sys.argv[1], separator="\t", has_header=False)
    times.append(time.perf_counter() - start)
times.sort()
print(f"polars {polars.__version__}: {frame.height} rows, {frame.width} columns", file=sys.stderr)
print(f"median_seconds {times[2]:.3f}")
print(f"best_seconds {times[0]:.3f}")
