#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""figure.py RESULTS: the queue of eight senders with the whole headroom and with half of it."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import figures

figure, (ax,) = figures.panels(1, columns=1)
for variant in ("whole", "half"):
    ax.plot(*figures.queue(figures.results(variant), "leaf0.port8", (0, 4)), label=variant)
ax.legend()
figures.label(ax, "queue by headroom", "ms", "kB")
figures.save(figure)
