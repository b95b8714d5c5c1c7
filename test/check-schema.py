#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""check-schema.py PROGRAM: what `aifabric schema` prints and what `aifabric` reads are one thing.

Valid for both are the scenarios of examples/, those written in the documents, and what summary.json
says of them when they have run. What the schema refuses of their alterations, `aifabric` refuses
too, and every key that does not exist.
"""

import concurrent.futures
import copy
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SKIPPED = 77
ROOT = pathlib.Path(__file__).resolve().parent.parent
LITERAL_BLOCK = re.compile(r"(?:^ {3,}\S.*\n|^\n)+|(?<=```json\n)[^`]*", re.MULTILINE)


def written_scenarios():
    """Scenarios of examples/ and of the documents, as {where: scenario}."""
    found = {
        str(path.relative_to(ROOT)): json.loads(path.read_text(encoding="utf-8"))
        for path in sorted(ROOT.glob("examples/scenarios/*/scenario.json"))
    }
    for path in sorted([*ROOT.glob("doc/*.rst"), ROOT / "README.md"]):
        text = path.read_text(encoding="utf-8")
        for block in LITERAL_BLOCK.finditer(text):
            scenario = as_scenario(block.group())
            if scenario:
                line = text.count("\n", 0, block.start()) + 2
                found[f"{path.relative_to(ROOT)}:{line}"] = scenario
    return found


def as_scenario(text):
    """A text as a scenario, if it is one or some keys of one; then a star completes it."""
    for whole in (text, "{" + text + "}"):
        try:
            value = json.loads(whole)
        except ValueError:
            continue
        if isinstance(value, dict) and value:
            return {"topology": {"type": "star", "host_count": 32}, **value}
    return None


def places(value, path=()):
    """Paths of a value and of all values within."""
    yield path
    if isinstance(value, (dict, list)):
        keys = value if isinstance(value, dict) else range(len(value))
        for key in keys:
            yield from places(value[key], path + (key,))


def kind_of(scenario, path):
    """What stands at a path, whichever entry of a list it is in: its keys, and what plug-ins are
    around it."""
    kind = []
    value = scenario
    for key in path:
        if isinstance(value, dict):
            kind.append(str(value.get("type") or value.get("pattern")))
        value = value[key]
        kind.append("*" if isinstance(key, int) else key)
    return (*kind, type(value).__name__)


def altered(scenario, path, change):
    """A copy of a scenario with change(value) in place of the value at a path."""
    if not path:
        return change(scenario)
    copied = copy.copy(scenario)
    copied[path[0]] = altered(scenario[path[0]], path[1:], change)
    return copied


def with_unknown_key(value):
    """An object with one more key; None for anything else."""
    return {**value, "zzz": 1} if isinstance(value, dict) else None


SEVERAL_RUNS = ("variants", "seeds", "checks")
CHANGES = (with_unknown_key, lambda _: None, lambda _: -1, lambda _: "zzz", lambda _: [{}])


def aifabric(command, scenario, *options):
    """What the program says against a scenario: None where it takes it."""
    with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as file:
        json.dump(scenario, file)
        file.flush()
        done = subprocess.run(
            [sys.argv[1], command, file.name, *options],
            capture_output=True, text=True, timeout=60, check=False)
    if done.returncode == 2:
        return done.stderr.strip()
    return None if done.returncode == 0 else f"status {done.returncode}: {done.stderr}"


def without(scenario, *keys):
    """A scenario less some of its keys."""
    return {key: value for key, value in scenario.items() if key not in keys}


def resolved(scenario):
    """The same scenario with all that was left out, one per run, from results after 1 us."""
    scenario = without(scenario, "checks", "seeds")  # other seeds give the same
    scenario["simulation"] = {"stop_time_us": 1}
    with tempfile.TemporaryDirectory() as folder:
        error = aifabric("run", scenario, "--quiet", "--output", folder)
        if error:
            sys.exit(error)
        for path in sorted(pathlib.Path(folder).rglob("summary.json")):
            summary = json.loads(path.read_text(encoding="utf-8"))
            if "scenario" in summary:
                yield summary["scenario"]


def main():
    try:
        from jsonschema import Draft202012Validator
    except ImportError:
        print("python3-jsonschema is missing, or too old")
        return SKIPPED
    printed = subprocess.run([sys.argv[1], "schema"], capture_output=True, check=True).stdout
    schema = json.loads(printed)
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    written = written_scenarios()
    valid = dict(written)
    for where, scenario in written.items():
        for i, whole in enumerate(resolved(scenario)):
            valid[f"{where}, resolved, run {i}"] = whole
    if len(valid) < 2 * len(written) or len(written) < 5:
        sys.exit(f"found {len(valid)} scenarios, {len(written)} of them in files")

    def complaints_about(where, scenario):
        for error in validator.iter_errors(scenario):
            yield f"{where}: the schema refuses {error.json_path}: {error.message[:200]}"
        error = aifabric("validate", scenario)
        if error:
            yield f"{where}: the program refuses {error}"

    def complaint_about(where, scenario, path, change):
        other = altered(scenario, path, change)
        wrong = change is with_unknown_key or not validator.is_valid(other)
        if wrong and aifabric("validate", other) is None:
            return f"{where}: with another value at {path} it is wrong, but the program takes it"
        return None

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        said = pool.map(lambda item: list(complaints_about(*item)), valid.items())
        complaints = [text for texts in said for text in texts]
        # Of places of one kind the first is as good as any.
        kinds = {}
        for where, scenario in written.items():
            # One run is enough for what is none of several runs.
            single = without(scenario, *SEVERAL_RUNS)
            single = scenario if aifabric("validate", single) else single
            for path in places(scenario):
                whole = scenario if not path or path[0] in SEVERAL_RUNS else single
                kinds.setdefault(kind_of(scenario, path), (where, whole, path))
        others = [
            pool.submit(complaint_about, *place, change)
            for place in kinds.values()
            for change in CHANGES
        ]
        complaints += [other.result() for other in others if other.result()]
    print("\n".join(complaints) or f"{len(valid)} scenarios and {len(others)} alterations agree")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
