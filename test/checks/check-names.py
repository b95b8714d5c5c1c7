#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Files are kebab-case; header names are unique, new to ns-3, and the guard follows the name."""

import os
import re

import checklib

KEBAB = re.compile(r"^[a-z0-9]+(-[a-z0-9]+)*\.(h|cc)$")


def ns3_headers(folders):
    """The names that the installed ns-3 has taken; empty in a tree, where CMake watches."""
    for folder in folders.split(";"):
        if os.path.isfile(os.path.join(folder, "ns3", "core-module.h")):
            return set(os.listdir(os.path.join(folder, "ns3")))
    return set()


def check(tree, taken):
    seen = {}
    for path, text in checklib.code(tree).items():
        name = path.split("/")[-1]
        if not KEBAB.match(name):
            yield f"{path}: names of source files are kebab-case"
        if not name.endswith(".h"):
            continue
        if name in seen:
            yield f"{path}: {seen[name]} has the same name, and ns3/ is flat"
        seen[name] = path
        if name in taken and path.split("/")[0] in ("model", "helper"):
            yield f"{path}: ns-3 has a header of this name"
        guard = "AIFABRIC_" + re.sub(r"\W", "_", name).upper()
        if f"#ifndef {guard}\n#define {guard}\n" not in text:
            yield f"{path}: the guard is not {guard}"


GUARDED = "#ifndef AIFABRIC_A_B_H\n#define AIFABRIC_A_B_H\n#endif\n"
TAKEN = ns3_headers(checklib.parse_arguments().ns3_include)
checklib.run(
    lambda tree: check(tree, TAKEN | {"packet.h"}),
    good={"model/core/a-b.h": GUARDED, "model/core/a-b.cc": ""},
    bad=[
        {"model/core/aB.cc": ""},
        {"model/core/a_b.cc": ""},
        {"model/core/a-b.h": GUARDED, "model/link/a-b.h": GUARDED},
        {"model/core/packet.h": GUARDED.replace("A_B", "PACKET")},
        {"model/core/other.h": GUARDED},
    ],
)
