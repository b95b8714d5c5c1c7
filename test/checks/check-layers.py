#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""A file includes its own folder and lower levels; folders of one level don't know each other."""

import re

import checklib

LEVELS = {
    "model/core": 0,
    "model/wire": 1,
    "model/congestion": 1,
    "model/link": 2,
    "model/switching": 3,
    "model/transport": 3,
    "model/telemetry": 4,
    "model/scaleup": 4,
    "model/collective": 5,
    "model/training": 6,
    "model/operations": 7,
    "helper/topology": 8,
    "helper/traffic": 8,
    "helper/scenario": 9,
    "helper/install": 10,
    "helper/import": 10,
    "helper/run": 11,
}
INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]', re.M)


def check(tree):
    sources = checklib.code(tree)
    home = {p.split("/")[-1]: checklib.room(p) for p in sources if p.endswith(".h")}
    for path, text in sources.items():
        own = checklib.room(path)
        if own.split("/")[0] not in ("model", "helper"):
            continue
        if own not in LEVELS:
            yield f"{path}: the folder {own} has no level, see LEVELS in check-layers.py"
            continue
        for bracket, name in INCLUDE.findall(text):
            short = name.split("/")[-1]
            if name.startswith("nlohmann/") and path.endswith(".h"):
                yield f"{path}: includes {name}: JSON stays out of headers"
            elif name == "ns3/ai-fabric-module.h":
                yield f"{path}: includes the umbrella header"
            elif bracket == '"' and not name.startswith("ns3/"):
                if "/" in name or home.get(name) != own:
                    yield f'{path}: "{name}" is not in {own}; other folders are "ns3/…"'
            elif name.startswith("ns3/") and home.get(short, "").count("/"):
                other = home[short]
                if other == own:
                    yield f'{path}: {name} is of the own folder, include it as "{short}"'
                elif LEVELS.get(other, 0) >= LEVELS[own]:
                    yield f"{path} (level {LEVELS[own]}): {name} is of {other}, {LEVELS.get(other)}"


FRAME = {"model/core/frame.h": "", "model/wire/codec.h": "", "helper/run/run.h": ""}
checklib.run(
    check,
    good={
        **FRAME,
        "model/link/a.h": '#include "ns3/frame.h"\n#include "ns3/packet.h"\n#include "b.h"',
        "model/link/b.h": "",
        "model/link/a.cc": "#include <nlohmann/json.hpp>",
        "test/a-test.cc": '#include "ns3/run.h"',
    },
    bad=[
        {**FRAME, "model/core/a.h": '#include "ns3/codec.h"'},
        {**FRAME, "model/congestion/a.cc": '#include "ns3/codec.h"'},
        {**FRAME, "model/link/a.cc": '#include "frame.h"'},
        {**FRAME, "model/link/a.cc": '#include "../core/frame.h"'},
        {**FRAME, "model/core/a.cc": '# include "ns3/frame.h"'},
        {**FRAME, "model/core/a.cc": '#include "ns3/ai-fabric-module.h"'},
        {**FRAME, "model/new/a.cc": ""},
        {**FRAME, "helper/run/a.h": "#include <nlohmann/json.hpp>"},
    ],
)
