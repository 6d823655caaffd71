#!/usr/bin/env python3
"""Lines of Rust by crate: code, tests, comments.

  benches/lines.py [FOLDER]

A test line is one under `#[cfg(test)] mod tests`, in a folder `tests` or in a
file that such a module names; blank lines are not counted.
"""

import pathlib
import sys

ROOT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")


def part_of(path):
    """The crate a file belongs to; modules of `src` that became crates count as those."""
    parts = path.relative_to(ROOT).parts
    if parts[0] == "crates":
        return parts[1]
    if parts[0] != "src":
        return parts[0]
    moved = {"graph": "graph", "files.rs": "graph", "folders.rs": "graph", "words.rs": "graph",
             "spectral": "spectral", "lab": "lab"}
    core = {"model", "train", "explain", "baselines", "layout", "export", "memory.rs", "npy.rs"}
    return "core" if parts[1] in core else moved.get(parts[1], "gesf-tui")


def count(path):
    code = comments = tests = 0
    is_test = "tests" in path.parts or path.name == "tests.rs"
    lines = path.read_text().splitlines()
    for at, line in enumerate(lines):
        text = line.strip()
        if text == "#[cfg(test)]" and at + 1 < len(lines) and "mod tests {" in lines[at + 1]:
            is_test = True
        if not text:
            continue
        if is_test:
            tests += 1
        elif text.startswith("//"):
            comments += 1
        else:
            code += 1
    return code, tests, comments


total = {}
for top in ["src", "crates", "tests", "benches"]:
    for path in sorted((ROOT / top).rglob("*.rs")):
        part = part_of(path)
        total[part] = [a + b for a, b in zip(total.get(part, [0, 0, 0]), count(path))]
print("| part | code | tests | comments |\n| --- | --- | --- | --- |")
for part, numbers in sorted(total.items()):
    print(f"| {part} | " + " | ".join(f"{number:,}" for number in numbers) + " |")
everything = [sum(column) for column in zip(*total.values())]
print("| all | " + " | ".join(f"{number:,}" for number in everything) + " |")
