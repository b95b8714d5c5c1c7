#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""figure.py RESULTS: what a host costs and how many there are, by kind of network."""

import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import figures

kinds = {"two_tiers": "two tiers", "three_tiers": "three tiers", "three_to_one": "three tiers, 3:1",
         "rail_only": "8 rails of two tiers"}
names = [variant["name"] for variant in json.loads(
    (pathlib.Path(__file__).parent / "scenario.json").read_text(encoding="utf-8"))["variants"]]
figure, axes = figures.panels(2)
for kind, text in kinds.items():
    mine = [name for name in names if name.rpartition("_")[0] == kind]
    hosts = [figures.metric(f"{name}/network_hosts") for name in mine]
    for ax, what in zip(axes, ("price", "power")):
        unit = "_w" if what == "power" else ""
        ax.plot(hosts, [figures.metric(f"{name}/network_{what}_per_host{unit}") for name in mine],
                "o-", label=text)
for ax in axes:
    ax.set_xscale("log", base=2)
    ax.set_ylim(0, 1.1 * ax.get_ylim()[1])
axes[0].legend(loc="lower left")
figures.label(axes[0], "NIC, cables and switches of 32 ports, examples of prices", "hosts",
              "USD for each")
figures.label(axes[1], "their power", "hosts", "W for each")
figures.save(figure)
