#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""clang-format 14, the one of Debian 12, would change nothing; other versions differ in taste."""

import os
import re
import shutil
import subprocess
import sys
import tempfile

import checklib

VERSION = "14"


def find_tool():
    for name in (f"clang-format-{VERSION}", "clang-format"):
        if shutil.which(name):
            said = subprocess.run([name, "--version"], capture_output=True, text=True, check=True)
            if re.search(rf"version {VERSION}\.", said.stdout):
                return name
    print(f"skipped: no clang-format {VERSION} here")
    sys.exit(checklib.SKIPPED)


def check(tree, tool):
    """Formats copies, so that trees of the self-test are files too."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(os.path.join(checklib.ROOT, ".clang-format"), folder)
        paths = sorted(checklib.code(tree))
        for path in paths:
            os.makedirs(os.path.join(folder, os.path.dirname(path)), exist_ok=True)
            with open(os.path.join(folder, path), "w", encoding="utf-8") as file:
                file.write(tree[path])
        if paths:
            subprocess.run([tool, "-i", "--style=file", *paths], cwd=folder, check=True)
        for path in paths:
            with open(os.path.join(folder, path), encoding="utf-8") as file:
                if file.read() != tree[path]:
                    yield f"{path}: clang-format -i would change it"


TOOL = find_tool()
checklib.run(
    lambda tree: check(tree, TOOL),
    good={"model/a.cc": "int g_a;\n"},
    bad=[{"model/a.cc": "int  g_a;\n"}, {"model/a.cc": "int f() { return 1; }\n"}],
)
