#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""figure.py RESULTS: goodput of the victim in each variant."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import figures

figure, (ax,) = figures.panels(1, columns=1)
for variant in ("pfc", "own_priority", "dcqcn"):
    ax.plot(*figures.rates(figures.results(variant), {5}, every=5), label=variant.replace("_", " "))
for share in (4.629, 27.775):
    ax.axhline(share, color="grey", linewidth=0.5, linestyle="--")
ax.legend()
figures.label(ax, "flow beside an incast to another host", "ms", "goodput, Gb/s")
figures.save(figure)
