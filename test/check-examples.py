#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""check-examples.py FOLDER: the programs of examples/ run, as test.py of an ns-3 tree runs them, and
those that measure find what closed forms say."""

import pathlib
import runpy
import subprocess
import sys

FOLDER = pathlib.Path(sys.argv[1])
COMMANDS = runpy.run_path(str(pathlib.Path(__file__).parent / "examples-to-run.py"))

# The examples' two links at 100 Gb/s with 0.5 us each, and 0.5 us in the switch between.
BYTE_US = 8 / 100e3
PATH_US = 2 * 0.5 + 0.5
# Around the payload: Ethernet, IPv4, UDP, BTH, ICRC, FCS; preamble and gap (IBA vol. 1, annex A17;
# IEEE 802.3 clause 4.4). Extended headers: IBA vol. 1, 9.3.
AROUND = 62 + 20
RETH, AETH, ATOMIC_ETH, ATOMIC_ACK_ETH, DETH = 16, 4, 28, 8, 8
ACK = AROUND + AETH


def one_way(*frames):
    """Time in us from the first byte of these frames, in bytes on the wire, to the last one's end
    behind the switch, which stores and forwards."""
    return (sum(frames) + frames[-1]) * BYTE_US + PATH_US


def run(command):
    """Output of a program."""
    name, *arguments = command.split()
    done = subprocess.run(
        [FOLDER / name, *arguments], stdout=subprocess.PIPE, encoding="utf-8", check=True
    )
    return done.stdout


def last_row(text):
    """Numbers of the last line that has nothing else."""
    rows = [line.split() for line in text.splitlines()]
    numbers = [row for row in rows if row and all(word[0].isdigit() for word in row)]
    return [float(word) for word in numbers[-1]]


def expect(what, found, expected, tolerance):
    """Fails unless both agree. Tolerances are those of the digits printed."""
    if abs(found - expected) > tolerance:
        sys.exit(f"{what}: {found}, expected {expected:.6f}")
    print(f"{what}: {found}")


def check_write_bw():
    count, size, mtu = 1000, 65536, 4096
    frames = [mtu + AROUND + RETH] + [mtu + AROUND] * (size // mtu - 1)
    row = last_row(run(f"write-bw --iters={count // 2} --qp=2 --size={size} --mtu={mtu}"))
    # From the first byte to the acknowledgement of the last; the wire is never idle.
    total = (count - 1) * sum(frames) * BYTE_US + one_way(*frames) + one_way(ACK)
    expect("write-bw Gb/s", row[3], count * size * 8 / total / 1e3, 0.0006)
    expect("write-bw Gb/s of an endless run", row[3], 100 * size / sum(frames), 0.1)
    expect("write-bw Mpps", row[4], count / total, 2e-6)


def check_read_lat():
    row = last_row(run("read-lat --size=8 --iters=20"))
    expected = one_way(AROUND + RETH) + one_way(AROUND + AETH + 8)
    for column in (2, 3, 4, 5, 7, 8):
        expect("read-lat us", row[column], expected, 0.0006)
    expect("read-lat deviation", row[6], 0, 0)


def check_send_lat():
    # Two bytes, padded to four. The acknowledgement of what it answers goes before each message.
    row = last_row(run("send-lat --size=2 --iters=20"))
    expect("send-lat us", row[4], ACK * BYTE_US + one_way(AROUND + 4), 0.0006)


def check_atomic_bw():
    queue_pairs, outstanding, windows = 2, 16, 32
    count = queue_pairs * outstanding * windows
    text = run(f"atomic-bw --iters={count // queue_pairs} --qp={queue_pairs} --outs={outstanding}")
    row = last_row(text)
    request = AROUND + ATOMIC_ETH
    round_trip = one_way(request) + one_way(AROUND + AETH + ATOMIC_ACK_ETH)
    # One window after the other; within it the last one leaves behind the others.
    total = windows * round_trip + (queue_pairs * outstanding - 1) * request * BYTE_US
    expect("atomic-bw Mpps", row[4], count / total, 2e-6)
    expect("atomic-bw number", float(text.split()[-1]), count, 0)


def check_rc_pingpong():
    count, size, mtu = 100, 4096, 1024
    text = run(f"rc-pingpong --iters={count} --size={size} --mtu={mtu}")
    datagram = AROUND + DETH + 256
    after = [float(line.split()[-2]) for line in text.splitlines() if "connected after" in line]
    expect("rc-pingpong client connected, us", after[0], 2 * one_way(datagram), 0.0006)
    expect("rc-pingpong server connected, us", after[1], 3 * one_way(datagram), 0.0006)
    message = one_way(*[mtu + AROUND] * (size // mtu))
    # The first message goes behind the RTU, the others behind an acknowledgement.
    total = 2 * count * message + ((2 * count - 1) * ACK + datagram) * BYTE_US
    per_exchange = float(text.split()[-2])
    expect("rc-pingpong us/iter", per_exchange, total / count, 0.0006)


for command, *_ in COMMANDS["cpp_examples"]:
    if not command.startswith("aifabric "):  # that has tests of its own
        run(command)
for name, check in list(globals().items()):
    if name.startswith("check_"):
        check()
