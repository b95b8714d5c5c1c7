# SPDX-License-Identifier: GPL-2.0-only
"""What the checks of the sources share: a tree of files as a plain dict, and one way to run."""

import argparse
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
NOT_OURS = re.compile(r"^(\.git|build(-.*)?|out|__pycache__|\.venv)$")
SKIPPED = 77


def read_tree(root=ROOT):
    """All text files below root as {path with slashes: text}; what builds leave behind is not."""
    tree = {}
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(name for name in folders if not NOT_OURS.match(name))
        for name in sorted(files):
            path = os.path.join(folder, name)
            if name == ".git" or os.path.islink(path):
                continue
            try:
                with open(path, encoding="utf-8") as file:
                    tree[os.path.relpath(path, root).replace(os.sep, "/")] = file.read()
            except UnicodeDecodeError:
                pass  # pcap files, pictures
    return tree


def code(tree, *suffixes):
    """The files of the tree with one of the suffixes, C++ by default."""
    return {path: text for path, text in tree.items() if path.endswith(suffixes or (".h", ".cc"))}


def room(path):
    """model/core for model/core/frame.h; the top folder alone elsewhere."""
    parts = path.split("/")[:-1]
    return "/".join(parts[:2] if parts and parts[0] in ("model", "helper") else parts[:1])


def parse_arguments():
    """What CMake hands to every check."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--ns3-include", default="", help="include folders of the installed ns-3")
    return parser.parse_args()


def run(check, good, bad):
    """Runs check(tree), which yields one complaint a line, on the repository.

    First the check has to prove itself: silent on the tree `good`, heard on each tree of `bad`.
    Ends the process: 0 nothing to complain, 1 complaints.
    """
    noise = list(check(good))
    if noise:
        sys.exit(f"self-test: complains about a good tree: {noise}")
    for tree in bad:
        if not list(check(tree)):
            sys.exit(f"self-test: finds nothing in a bad tree: {sorted(tree)}")
    complaints = list(check(read_tree()))
    print("\n".join(complaints) or "nothing to complain")
    sys.exit(1 if complaints else 0)
