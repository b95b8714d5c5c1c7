#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""figure.py RESULTS: goodput of the four flows under PFC alone and under DCQCN."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import figures

figure, axes = figures.panels(2)
for ax, variant, shares in zip(axes, ("pfc", "dcqcn"), ((18.517, 6.172), (9.258,))):
    for flow, name in enumerate(("a0", "a1", "a2", "b0")):
        ax.plot(*figures.rates(figures.results(variant), {flow}, every=5), label=name)
    for share in shares:
        ax.axhline(share, color="grey", linewidth=0.5, linestyle="--")
    figures.label(ax, variant.upper(), "ms", "goodput, Gb/s")
axes[0].legend()
figures.save(figure)
