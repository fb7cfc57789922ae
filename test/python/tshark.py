# SPDX-License-Identifier: GPL-2.0-only
"""Has tshark read captures, for the tests."""

import pathlib
import struct
import subprocess
import tempfile


def write_pcap(path, frames):
    """Write frames of Ethernet to a file, one a second."""
    with open(path, "wb") as file:
        file.write(struct.pack("<IHHIIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1))
        for second, frame in enumerate(frames):
            file.write(struct.pack("<IIII", second, 0, len(frame), len(frame)) + frame)


def read(capture, *arguments):
    """What tshark prints of a capture; an error, of a dissector in Lua too, fails the test."""
    command = ["tshark", "-r", capture, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0 or "Lua: Error" in done.stderr:
        raise AssertionError(f"{command}: exit status {done.returncode}: {done.stderr}")
    return done.stdout


def read_rows(capture, names, *arguments):
    """The values of fields, a tuple for each frame."""
    selected = [word for name in names for word in ("-e", name)]
    lines = read(capture, "-T", "fields", *selected, *arguments).splitlines()
    return [tuple(line.split("\t")) for line in lines]


def read_fields(capture, names, *arguments):
    """The values of fields, a dictionary by name for each frame."""
    return [dict(zip(names, row)) for row in read_rows(capture, names, *arguments)]


def switches(script=None, options=()):
    """The arguments that have tshark use a dissector in Lua, and set options."""
    lua = ["-X", f"lua_script:{script}"] if script else []
    return [*lua, *(word for option in options for word in ("-o", option))]


def dissect(frames, names, *arguments):
    """The values of fields of frames of Ethernet, a tuple for each of them."""
    with tempfile.TemporaryDirectory() as folder:
        capture = pathlib.Path(folder) / "frames.pcap"
        write_pcap(capture, frames)
        return read_rows(capture, names, *arguments)


def describe(frame, *arguments):
    """What tshark prints of a frame of Ethernet in full."""
    with tempfile.TemporaryDirectory() as folder:
        capture = pathlib.Path(folder) / "frame.pcap"
        write_pcap(capture, [frame])
        return read(capture, "-V", *arguments)
