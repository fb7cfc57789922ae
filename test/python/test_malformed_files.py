# SPDX-License-Identifier: GPL-2.0-only
"""Tests of malformed workloads and topologies: a program says in one line where what was expected."""

from __future__ import annotations

import gzip
import json
import tempfile
import time
import unittest
from pathlib import Path
from typing import NamedTuple

import experiments_command
from chakra_bytes import encode, field, message

PROGRAMS = {name: experiments_command.program(name) for name in ("gpu-servers", "ai-training")}
SCHEMES = {"gpu-servers": "swift", "ai-training": "baseline"}
SECONDS = 10
"""How long a program may take. It takes a tenth of a second here."""


class Row(NamedTuple):
    """A file, and what is said of it."""

    name: str
    text: str | bytes
    where: str
    """What stands behind the name of the file: a line, or nothing."""
    expected: str
    """A part of what was expected, and of what was found."""
    options: str = ""
    """Further options of the command line."""


# Texts of SimAI and ASTRA-sim

SIMAI = (
    "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 2 ep: 1 pp: 1 vpp: 1 ga: 1 "
    "all_gpus: 4 checkpoints: 0 checkpoint_initiates: 0 pp_comm: 0\n"
    "2\n"
    "att -1 1000 ALLREDUCE 8192 2000 ALLREDUCE 8192 500 NONE 0 100\n"
    "mlp -1 3000 ALLREDUCE 8192 4000 NONE 0 700 REDUCESCATTER 65536 100\n"
)
DATA = "DATA\n1\nL0 -1 10 NONE 0 10 NONE 0 20 ALLREDUCE 1000 5\n"
EIGHT = "--workload-ranks=8"


def change(text, *pairs):
    """A text with each first word of a pair replaced by the second one, which must be there."""
    for before, after in pairs:
        assert text.count(before) == 1, before
        text = text.replace(before, after)
    return text


def rows(text, table):
    """Rows of files that are a text with changes; line 0 is none."""
    for name, line, changes, expected, *options in table:
        pairs = [changes] if changes and isinstance(changes[0], str) else changes
        where = f":{line}" if line else ""
        yield Row(name, change(text, *pairs) if pairs else text, where, expected, *options)


LAYERS = [
    *rows("", [
        ("empty", 1, (), "a workload of SimAI or ASTRA-sim, whose first word is DATA, MODEL"),
    ]),
    *rows(b"\x7fELF\x02\x01\0\0", [
        ("no text", 1, (), 'found "\\x7fELF\\x02\\x01\\x00\\x00"'),
    ]),
    *rows(SIMAI, [
        ("unknown policy", 1, ("HYBRID_TRANSFORMER_FWD_IN_BCKWD", "PIPELINE"),
         'HYBRID_CUSTOMIZED, MICRO, DISTRIBUTED_INFERENCE, found "PIPELINE"'),
        ("key without value", 1, (" pp_comm: 0", " pp_comm:"),
         'a number behind "pp_comm:", found "end of line"'),
        ("key without integer", 1, ("all_gpus: 4", "all_gpus: four"),
         'a number behind "all_gpus:", a whole number from 1 to 1048576, found "four"'),
        ("key with a fraction", 1, ("ep: 1", "ep: 1.5"),
         'a number behind "ep:", a whole number from 1 to 1048576, found "1.5"'),
        ("no layers", 2, ("\n2\n", "\n0\n"),
         'the number of layers, a whole number from 1 to 4294967295, found "0"'),
        ("number of layers missing", 2, ("\n2\n", "\n"),
         'the number of layers, a whole number from 1 to 4294967295, found "att"'),
        ("fewer layers", 5, ("\n2\n", "\n3\n"), '3 layers, as announced, found "2 layers"'),
        ("a column less", 4, ("500 NONE 0 100", "500 NONE 100"),
         'the update time (column 12) of layer 0 "att", a whole number from 0 to '
         '1000000000000000000, found "mlp"'),
        ("a column more", 3, ("500 NONE 0 100", "500 NONE 0 100 7"),
         '12 columns of layer 0 "att", found "7"'),
        ("negative size", 3, ("1000 ALLREDUCE 8192", "1000 ALLREDUCE -8192"),
         'the forward communication size (column 5) of layer 0 "att", a whole number from 0 to '
         '1152921504606846976, found "-8192"'),
        ("large size", 4, ("65536", "9223372036854775809"),
         'the weight-gradient communication size (column 11) of layer 1 "mlp"'),
        ("negative time", 4, ("4000", "-4000"),
         'the input-gradient compute time (column 6) of layer 1 "mlp"'),
        ("large time", 4, ("3000", "9223372036854775809"),
         'the forward compute time (column 3) of layer 1 "mlp"'),
        ("unknown type", 4, ("REDUCESCATTER", "SCATTER"),
         'the weight-gradient communication type (column 10) of layer 1 "mlp", which is NONE, '
         "ALLREDUCE, ALLTOALL, ALLGATHER or REDUCESCATTER"),
        ("two dimensions", 4, ("REDUCESCATTER", "ALLREDUCEALLTOALL"), 'found "ALLREDUCEALLTOALL"'),
        ("tp times pp", 1, (" pp: 1", " pp: 3"),
         'tensor-parallel size times stages to divide the 4 ranks, found "2 x 3"'),
        ("ep", 1, (" ep: 1", " ep: 4"),
         'ep: a number that divides the 2 ranks of a data-parallel group, found "4"'),
        ("other ranks", 1, (),
         'all_gpus: 8, the number of ranks that was chosen, found "4"', EIGHT),
        ("checkpoint beyond", 1, ("checkpoints: 0", "checkpoints: 1 2"),
         'checkpoints from 0 to 1, found "2"'),
        ("no checkpoint before", 1, ("checkpoint_initiates: 0", "checkpoint_initiates: 1 1"),
         'a checkpoint before each layer of checkpoint_initiates, found "1"'),
    ]),
    *rows(DATA, [
        ("no ranks", 1, (),
         "a number of ranks from 1 to 1048576 by --workload-ranks, as the file has no all_gpus, "
         'found "none"'),
        ("no neighbors", 1, ("DATA", "HYBRID_DATA_MODEL"),
         "a number of neighbors by --workload-neighbors that divides the 8 ranks", EIGHT),
        ("position", 1, ("DATA", "HYBRID_TRANSFORMER model_parallel_NPU_group: two"),
         'the tensor-parallel size, a whole number from 1 to 1048576, found "two"', EIGHT),
        ("suffix of SimAI", 3, ("ALLREDUCE", "ALLREDUCE_EP"),
         "(with _EP or _DP_EP in the format of SimAI)", EIGHT + " --workload-format=astra-sim"),
        ("bottom layer beyond", 1, ("DATA", "HYBRID_DLRM 1"),
         'a last bottom layer from 0 to 0, found "1"', EIGHT),
        ("policy of a layer", 3, [("DATA", "HYBRID_CUSTOMIZED"), ("1000 5", "1000 5 PIPELINE")],
         'the policy (column 13) of layer 0 "L0", which is '
         "DATA, MODEL", EIGHT + " --workload-neighbors=2"),
    ]),
]
"""Each is w.txt."""

# Topologies

TINY = (
    "9 2 2 3 10 H100\n4 5 6 7 8\n0 4 3600Gbps 0.000025ms 0\n0 6 400Gbps 0.0005ms 0\n"
    "1 4 3600Gbps 0.000025ms 0\n1 7 400Gbps 0.0005ms 0\n2 5 3600Gbps 0.000025ms 0\n"
    "2 6 400Gbps 0.0005ms 0\n3 5 3600Gbps 0.000025ms 0\n3 7 400Gbps 0.0005ms 0\n"
    "6 8 400Gbps 0.0005ms 0\n7 8 400Gbps 0.0005ms 0\n"
)
"""Two servers of two GPUs."""

TOPOLOGIES = [
    *rows("", [
        ("empty", 1, (), "3 numbers: nodes switches links; PowerTCP's 4 numbers"),
    ]),
    *rows("9 2 2 3 4\n", [
        ("five fields", 1, (), 'gpu_type, found "9 2 2 3 4"'),
    ]),
    *rows(TINY, [
        ("servers", 1, ("9 2 2", "9 3 2"),
         "a number of GPUs, nodes without switches, that is a multiple of the 3 of a server, "
         'found "4"'),
        ("id beyond", 2, ("6 7 8\n", "6 7 9\n"), 'the id of a switch from 0 to 8, found "9"'),
        ("end beyond", 11, ("6 8 400", "6 9 400"), 'the id of a node from 0 to 8, found "9"'),
        ("id in two lists", 2, ("4 5 6 7 8", "4 5 5 7 8"), 'each switch once, found "5 twice"'),
        ("fewer ids", 2, ("4 5 6 7 8", "4 5 6 7"),
         '5 ids of switches, NVSwitches first, found "4 5 6 7"'),
        ("fewer links", 12, ("7 8 400Gbps 0.0005ms 0\n", ""),
         'link 10 of 10, 5 fields: a b rate delay error_rate, found "end of file"'),
        ("four fields of a link", 11, ("6 8 400Gbps 0.0005ms 0", "6 8 400Gbps 0.0005ms"),
         'link 9 of 10, 5 fields: a b rate delay error_rate, found "6 8 400Gbps 0.0005ms"'),
        ("no NVSwitch", 1, ("3 5 3600", "3 7 3600"),
         'a link of each GPU to an NVSwitch, found "GPU 3 without a link"'),
        ("no adapter", 1, ("3 7 400", "3 5 400"),
         'a link of each GPU to a switch, found "GPU 3 without a link"'),
        ("two servers", 9, ("3 5 3600", "3 4 3600"),
         'links of NVSwitch 4 to GPUs of one server, found "GPU 3 of server 1'),
        ("NVSwitch to switch", 11, ("6 8 400", "5 8 400"),
         'a link of NVSwitch 5 to a GPU, found "one to switch 8"'),
        ("rate without unit", 11, ("6 8 400Gbps", "6 8 400"),
         'a rate above 0 and at most 1 Pb/s, such as 100Gbps, found "400"'),
        ("delay without unit", 11, ("6 8 400Gbps 0.0005ms", "6 8 400Gbps 0.0005"),
         'a delay from 0 to 1h, such as 3us (units: h min s ms us ns ps fs), found "0.0005"'),
        ("error rate", 12, ("7 8 400Gbps 0.0005ms 0", "7 8 400Gbps 0.0005ms 2"),
         'an error rate from 0 to 1, found "2"'),
        ("loop", 11, ("6 8 400", "6 6 400"), 'a link between two different nodes, found "6 6"'),
        ("in two parts", 0, ("6 8 400", "8 7 400"),
         "numbered without NVSwitches, node 5: expected switches that are connected, found no "
         "path to node 4"),
    ]),
]
"""Each is t.txt."""

# Training steps

STEP = (
    '{\n  "training": {\n    "dp": 2,\n    "pp": 2,\n    "layers": 4,\n'
    '    "pipeline": {"bytes": 1000},\n    "data": {"bytes": 1e6}\n  }\n}\n'
)
OPERATIONS = (
    '{\n  "ranks": 2,\n  "operations": [\n'
    '    {"id": "a", "type": "compute", "ranks": [0], "seconds": 1e-6},\n'
    '    {"id": "b", "type": "send", "ranks": [0, 1], "bytes": 9, "after": ["a"]}\n  ]\n}\n'
)

STEPS = [
    *rows(STEP[:-4], [
        ("truncated", 8, (), '"," or "}", found "end of file"'),
    ]),
    *rows(STEP, [
        ("word", 7, ("1e6", "large"), 'a value of JSON, found "large"'),
        ("plus", 7, ("1e6", "+1"), 'a value of JSON, found "+'),
        ("leading zero", 6, ("1000", "01000"), 'a value of JSON, found "01000"'),
        ("comma", 6, ("4,\n", "4\n"), '"," or "}"'),
        ("key twice", 4, ('"pp"', '"dp"'), 'each key once in an object, found "dp"'),
        ("key with a line end", 4, ('"pp": 2', '"p\\np" 2'), '":" behind the key "p?p", found "2"'),
        ("unknown key", 5, ('"layers"', '"layer"'), "one of the keys comment, dp, tp, cp"),
        ("text for a number", 3, ('"dp": 2', '"dp": "2"'),
         '"dp": a whole number from 1 to 1048576, found "2"'),
        ("no pipeline", 2, ('    "pipeline": {"bytes": 1000},\n', ""), 'the key "pipeline"'),
        ("layers", 2, ('"layers": 4', '"layers": 3'),
         "each chunk of a stage has as many layers, but pp * chunks, 2, does not divide 3"),
        ("many ranks", 2, ('"dp": 2', '"dp": 1048576'), "there are at most 1048576 ranks"),
    ]),
    *rows(OPERATIONS, [
        ("rank beyond", 5, ("[0, 1]", "[0, 2]"), 'a rank: a whole number from 0 to 1, found "2"'),
        ("after nothing", 5, ('["a"]', '["c"]'), '"after": the id of an operation, found "c"'),
        ("circle", 4, ("1e-6", '1e-6, "after": ["b"]'),
         "operations that do not wait for each other in a circle"),
        ("id twice", 5, ('"b"', '"a"'), 'an id that no other operation has, found "a"'),
    ]),
]
"""Each is s.json."""


# Chakra traces, in both formats


def node(number, kind, *after, **more):
    """A node of a trace."""
    name = {4: "work", 5: "send", 6: "receive", 7: "sum"}.get(kind, "other")
    return {
        "Id": number,
        "Name": name,
        "NodeType": kind,
        "is_cpu_op": False,
        "data_deps": list(after),
        **more,
    }


WORK = node(1, 4, runtime=7)
SEND = node(2, 5, 1, comm_src=0, comm_dst=1, comm_size=64, comm_tag=3)
GOOD = [WORK, node(2, 7, 1, comm_type=0, comm_size=64)]

TRACES = {
    "id twice": ([WORK, WORK], "node 1 (work) has an id that another node has"),
    "no dependency": (
        [node(1, 4, 9, runtime=7)],
        "node 1 (work) depends on node 9, which there is not",
    ),
    "cycle": (
        [node(1, 4, 2, runtime=7), node(2, 4, 1, runtime=7)],
        "waits for itself: it is one of 2 nodes that depend on each other, and depends on node",
    ),
    "no such rank": ([WORK, SEND], "node 2 (send) has the comm_dst 1, not from 0 to 0"),
    "no type": ([node(1, 0)], "node 1 (other) has no type"),
    "other collective": ([WORK, node(2, 7, 1, comm_type=99, comm_size=64)], "comm_type"),
    "no size": ([WORK, node(2, 7, 1, comm_type=0)], "comm_size"),
}
"""What rank 0 does, and what is said of n.0.et and of n.0.json."""

FILES = {
    "truncated": (
        {"n.0.et": encode(GOOD)[:-3]},
        "n.0.et: ",
        "message at byte 37: expected 59 bytes, found 56",
    ),
    "no trace": (
        {"n.0.et": b"\x05\xff\xff\xff\xff\xff"},
        "n.0.et: ",
        "message at byte 0: expected a number, found the end",
    ),
    "empty": ({"n.0.et": b""}, "n.0.et: ", "message at byte 0: expected a number, found the end"),
    "no metadata": (
        {"n.0.et": encode(GOOD)[8:]},
        "n.0.et: ",
        "message at byte 0: expected GlobalMetadata first, found none",
    ),
    "old": (
        {"n.0.et": message(field(1, "0.0.3"))},
        "n.0.et: ",
        "message at byte 0: expected version 0.0.4, found 0.0.3: convert the trace",
    ),
    "no receive": (
        {"n.0.et": encode([WORK, SEND]), "n.1.et": encode([WORK])},
        "n.*.et: ",
        "(node 2 (send): send of 64 bytes to rank 1 with tag 3) is never received",
    ),
    "no receive, JSON": (
        {
            "n.0.json": json.dumps({"workload_graph": [WORK, SEND]}),
            "n.1.json": json.dumps({"workload_graph": [WORK]}),
        },
        "n.*.json: ",
        "(node 2 (send): send of 64 bytes to rank 1 with tag 3) is never received",
    ),
    "no rank 1": (
        {"n.0.et": encode(GOOD), "n.2.et": encode(GOOD)},
        "n.1.et: ",
        "a file that can be opened",
    ),
    "packed, truncated": ({"n.0.et": gzip.compress(encode(GOOD))[:-9]}, "n.0.et: ", "gzip"),
    "JSON truncated": (
        {"n.0.json": json.dumps({"workload_graph": GOOD})[:-2]},
        "n.0.json:1: ",
        '"," or "]"',
    ),
    "JSON without type": (
        {"n.0.json": json.dumps({"workload_graph": [{"Id": 1, "Name": "x"}]})},
        "n.0.json:1: ",
        '"NodeType" of node 1 (x), found "Id, Name"',
    ),
    "JSON without nodes": ({"n.0.json": '{"nodes": []}'}, "n.0.json:1: ", '"workload_graph"'),
    "JSON of PyTorch": (
        {"n.0.json": '{"schema": "1.0.2-chakra.0.0.4", "pid": 1, "nodes": []}'},
        "n.0.json:1: ",
        "chakra_trace_link and chakra_converter make a trace of this text",
    ),
    "process group of nobody": (
        {"n.0.json": json.dumps({"workload_graph": [{**GOOD[1], "data_deps": [], "comm_group": 7}]})},
        "n.0.json: ",
        'is of the process group "7", whose ranks are not known: tell them with --workload-groups',
    ),
    "dimensions": (
        {"n.0.json": json.dumps({"workload_graph": [WORK, {**GOOD[1], "involved_dim": [False]}]})},
        "n.0.json: ",
        "involves the dimensions [false] of a network, whose sizes are not known: tell them with "
        "--workload-dimensions",
    ),
    "operations": (
        {"n.0.json": json.dumps({"workload_graph": [{**WORK, "runtime": 0, "num_ops": 5}]})},
        "n.0.json: ",
        "has num_ops but no duration_micros: tell the operations per second with --flops",
    ),
    "JSON of jsonizer": (
        {"n.0.json": '{\n"version": "0.0.4"\n}\n{\n"id": "1", "type": "COMP_NODE"\n}\n'},
        "n.0.json:1: ",
        "a dump of chakra_jsonizer",
    ),
    "two ranks that differ": (
        {"n.0.et": encode(GOOD), "n.1.et": encode([WORK])},
        "n.0.et: ",
        "node 2 (sum) is number 0 of its process group, which 1 of 2 ranks have",
    ),
}
"""Files of --workload=n, how the line begins, and what was expected."""


@unittest.skipUnless(all(map(Path.exists, PROGRAMS.values())), "AIDC_BUILD_DIR names no build")
class MalformedFiles(unittest.TestCase):
    """Each file is given to a program, in a folder of its own."""

    def setUp(self):
        self.count = 0

    def fail_with(self, files, options, begin, expected):
        """A program ends with 1, and one line that begins with a text and has another one.

        Programs take turns; ai-training has no --topology.
        """
        self.count += 1
        is_workload = "--workload=" in options
        program = "ai-training" if is_workload and self.count % 2 == 0 else "gpu-servers"
        one = SCHEMES[program]
        with self.subTest(program=program, said=expected), tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                content = text.encode() if isinstance(text, str) else text
                (Path(folder) / name).write_bytes(content)
            words = ("--small", f"--schemes={one}", *options.split())
            start = time.monotonic()
            ended = experiments_command.run(program, *words, folder=folder)
            self.assertLess(time.monotonic() - start, SECONDS)
            self.assertEqual(ended.returncode, 1, ended.stderr)
            self.assertEqual(ended.stdout, "")
            lines = ended.stderr.splitlines()
            self.assertEqual(len(lines), 1, ended.stderr)
            self.assertEqual(lines[0][: len(program) + 7 + len(begin)], f"aidc-{program}: {begin}")
            self.assertIn(expected, lines[0])
            self.assertTrue(lines[0].isascii() and lines[0].isprintable(), lines[0])
            self.assertEqual({path.name for path in Path(folder).iterdir()}, set(files))

    def fail_rows(self, table, name, option):
        """Each text of a table is a file."""
        for row in table:
            self.fail_with(
                {name: row.text},
                f"--{option}={name} {row.options}",
                f"{name}{row.where}: ",
                row.expected,
            )
        self.assertEqual(self.count, len(table))

    def test_texts_of_layers(self):
        self.fail_rows(LAYERS, "w.txt", "workload")

    def test_topologies(self):
        self.fail_rows(TOPOLOGIES, "t.txt", "topology")

    def test_training_steps(self):
        self.fail_rows(STEPS, "s.json", "workload")

    def test_traces(self):
        for nodes, expected in TRACES.values():
            trace = json.dumps({"workload_graph": nodes})
            self.fail_with({"n.0.et": encode(nodes)}, "--workload=n", "n.0.et: ", expected)
            self.fail_with({"n.0.json": trace}, "--workload=n", "n.0.json: ", expected)
        self.assertEqual(self.count, 2 * len(TRACES))

    def test_files_that_do_not_fit(self):
        """What is wrong is what the options make of a good file, so that no line is named."""
        more = change(SIMAI, ("all_gpus: 4", "all_gpus: 32"))
        self.fail_with(
            {"w.txt": more},
            "--workload=w.txt",
            "expected w.txt to have at most 16 ranks",
            "the GPUs of the fabric, found 32",
        )
        self.fail_with(
            {"t.txt": "3 1 2\n2\n0 2 100Gbps 1us 0\n1 2 100Gbps 1us 0\n"},
            "--topology=t.txt",
            "expected --topology to have servers",
            "as SimAI's files, whose first line has six fields",
        )
        self.fail_with(
            {"s.json": STEP},
            "--workload=s.json --workload-ranks=8",
            "s.json: expected 8 ranks",
            'the number that was chosen, found "4"',
        )

    def test_files_of_traces(self):
        for files, begin, expected in FILES.values():
            self.fail_with(files, "--workload=n", begin, expected)
        self.assertEqual(self.count, len(FILES))

    def test_good_files_are_read(self):
        """Each error is of what has been changed: the files are good without."""
        good = {
            "w.txt": SIMAI,
            "t.txt": TINY,
            "s.json": STEP,
            "o.json": OPERATIONS,
            "n.0.et": encode(GOOD),
            "m.0.json": json.dumps({"workload_graph": GOOD}),
        }
        options = [f"--workload={name}" for name in ("w.txt", "s.json", "o.json", "n", "m")]
        options.append("--topology=t.txt --scenarios=ring")
        with tempfile.TemporaryDirectory() as folder:
            for name, text in good.items():
                content = text.encode() if isinstance(text, str) else text
                (Path(folder) / name).write_bytes(content)
            for words in options:
                with self.subTest(words=words):
                    more = ("--small", "--schemes=swift", "--no-figures", *words.split())
                    ended = experiments_command.run("gpu-servers", *more, folder=folder)
                    self.assertEqual(ended.returncode, 0, ended.stderr)

    def test_number_of_files(self):
        """There are at least 25 files, of all formats, each of which is tried."""
        tables = (LAYERS, TOPOLOGIES, STEPS, TRACES, TRACES, FILES)
        self.assertGreaterEqual(sum(map(len, tables)), 25)
