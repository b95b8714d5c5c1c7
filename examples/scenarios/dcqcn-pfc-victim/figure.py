#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""figure.py RESULTS: goodput of the victim with and without pauses."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import figures

figure, (ax,) = figures.panels(1, columns=1)
for variant in ("pfc", "deep_buffer"):
    run = figures.results(variant)
    ax.plot(*figures.rates(run, {0}, every=4), label=variant.replace("_", " "))
ax.legend()
figures.label(ax, "victim of bursts from 3 to 4 ms", "ms", "goodput, Gb/s")
figures.save(figure)
