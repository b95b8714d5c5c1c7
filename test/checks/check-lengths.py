#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""No source file over 700 lines, 95 % of them up to 500, half of them up to 150."""

import checklib

LONGEST, LONG, MEDIAN = 700, 500, 150


def check(tree):
    sizes = {p: t.count("\n") for p, t in checklib.code(tree, ".h", ".cc", ".py").items()}
    for path, lines in sizes.items():
        if lines > LONGEST:
            yield f"{path}: {lines} lines, over {LONGEST}"
    order = sorted(sizes.values())
    long = [f"{path} ({lines})" for path, lines in sizes.items() if lines > LONG]
    if len(long) > len(order) * 0.05:
        yield f"more than 5 % of the files are over {LONG} lines: {', '.join(long)}"
    if order and order[(len(order) - 1) // 2] > MEDIAN:
        yield f"the median of all files is {order[(len(order) - 1) // 2]} lines, over {MEDIAN}"


SHORT = {f"s{i}.cc": "\n" * 150 for i in range(40)}
checklib.run(
    check,
    good={**SHORT, "a.cc": "\n" * 700, "b.cc": "\n" * 500},
    bad=[
        {**SHORT, "a.cc": "\n" * 701},
        {**SHORT, "a.cc": "\n" * 501, "b.cc": "\n" * 501, "c.cc": "\n" * 501},
        {"a.cc": "\n" * 151},
    ],
)
