#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""CMakeLists.txt lists each source, header and suite once, in order; plug-ins are found by glob."""

import fnmatch
import re

import checklib


def listed(text, name):
    """The words of set(NAME …)."""
    found = re.search(rf"set\({name}\s+([^)]*)\)", text)
    return found.group(1).split() if found else []


def check(tree):
    text = tree["CMakeLists.txt"]
    globs = re.findall(r"(?:model|helper)/\*/[\w*-]+\.cc", text)
    for variable, top, suffix in (
        ("fabric_sources", ("model/", "helper/"), ".cc"),
        ("fabric_headers", ("model/", "helper/"), ".h"),
        ("fabric_suites", ("test/",), "-suite.cc"),
    ):
        names = listed(text, variable)
        for before, name in zip(names, names[1:]):
            if name <= before:
                yield f"{variable}: {name} stands after {before}"
        there = {p for p in tree if p.startswith(top) and p.endswith(suffix)}
        plugins = {p for p in there for g in globs if fnmatch.fnmatch(p, g)}
        for path in sorted(there - plugins - set(names)):
            yield f"{path} is not in {variable}"
        for path in sorted(set(names) - there):
            yield f"{variable} names {path}, which is not there"
        for path in sorted(set(names) & plugins):
            yield f"{variable} names {path}, which the glob of its family finds"
    for path in tree:
        if path.endswith(".h") and path[:-1] + "cc" in tree:
            if any(fnmatch.fnmatch(path[:-1] + "cc", g) for g in globs):
                yield f"{path}: plug-ins have no header"


LISTS = """
set(fabric_sources
    model/core/a.cc
    model/core/b.cc
)
set(fabric_headers model/core/a.h)
set(fabric_suites test/a-suite.cc)
file(GLOB fabric_plugins model/*/cc-*.cc)
"""
FILES = dict.fromkeys(
    ("model/core/a.cc", "model/core/b.cc", "model/core/a.h", "model/x/cc-a.cc", "test/a-suite.cc"), ""
)
checklib.run(
    check,
    good={"CMakeLists.txt": LISTS, **FILES},
    bad=[
        {"CMakeLists.txt": LISTS.replace("core/a.cc", "core/c.cc"), **FILES, "model/core/c.cc": ""},
        {"CMakeLists.txt": LISTS, **FILES, "model/core/c.cc": ""},
        {"CMakeLists.txt": LISTS, **FILES, "helper/run/c.h": ""},
        {"CMakeLists.txt": LISTS, **FILES, "test/b-suite.cc": ""},
        {"CMakeLists.txt": LISTS.replace("core/a.h", "core/gone.h"), **FILES},
        {"CMakeLists.txt": LISTS, **FILES, "model/x/cc-a.h": ""},
        {"CMakeLists.txt": LISTS.replace("b.cc\n", "b.cc\n model/x/cc-a.cc\n"), **FILES},
    ],
)
