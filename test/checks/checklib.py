# SPDX-License-Identifier: GPL-2.0-only
"""What the checks of the sources share: a tree of files as a plain dict, and one way to run."""

import argparse
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
NOT_OURS = re.compile(r"^(\.git|build(-.*)?|out|__pycache__|\.venv)$")
SKIPPED = 77


def list_files(root):
    """What git tracks, so that results and notes that lie around are nobody's business; without
    git, as in an unpacked archive, all but what builds leave behind."""
    try:
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True, check=True)
        return [os.fsdecode(path) for path in listed.stdout.split(b"\0") if path]
    except (OSError, subprocess.CalledProcessError):
        found = []
        for folder, folders, files in os.walk(root):
            folders[:] = [name for name in folders if not NOT_OURS.match(name)]
            found += [os.path.relpath(os.path.join(folder, name), root) for name in files]
        return found


def read_tree(root=ROOT):
    """All text files of the repository as {path with slashes: text}."""
    tree = {}
    for path in sorted(list_files(root)):
        try:
            with open(os.path.join(root, path), encoding="utf-8") as file:
                tree[path.replace(os.sep, "/")] = file.read()
        except (UnicodeDecodeError, FileNotFoundError):
            pass  # pictures and pcap files; tracked, but deleted and not yet committed
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
