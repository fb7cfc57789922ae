# SPDX-License-Identifier: GPL-2.0-only
"""Tests of the timelines of ai-training, with a reader that knows Chrome's trace event format only.

The rules are from "Trace Event Format" (Duffy and others, Google), and from Perfetto: slices of a
thread nest or are apart.
"""

import collections
import json
import re
import subprocess
import tempfile
import unittest
from decimal import Decimal
from pathlib import Path

import experiments_command

PROGRAM = experiments_command.program("ai-training")

KEYS = {
    "X": {"name", "cat", "ts", "dur", "pid", "tid"},
    "M": {"name", "pid", "args"},
    "s": {"name", "cat", "id", "ts", "pid", "tid"},
    "f": {"name", "cat", "id", "ts", "pid", "tid", "bp"},
    "C": {"name", "ts", "pid", "args"},
    "i": {"name", "ts", "pid", "tid", "s"},
}
"""The keys that an event of each phase has to have."""

KINDS = ("all-reduce", "all-gather", "reduce-scatter", "all-to-all", "broadcast")
CAUSES = ("pause", "rate", "window", "retransmission")


def joined(intervals):
    """The same times, as intervals that are apart."""
    result = []
    for begin, end in sorted(interval for interval in intervals if interval[0] < interval[1]):
        if result and begin <= result[-1][1]:
            result[-1][1] = max(result[-1][1], end)
        else:
            result.append([begin, end])
    return result


def length(intervals):
    """How long at least one of the intervals lasts."""
    return sum(end - begin for begin, end in joined(intervals))


class Timeline:
    """A file in Chrome's trace event format."""

    def __init__(self, path):
        # Decimal keeps the digits as they are written
        content = json.loads(path.read_text(encoding="utf-8"), parse_float=Decimal)
        self.unit = content["displayTimeUnit"]
        self.notes = content["otherData"]
        self.events = content["traceEvents"]
        self.slices = collections.defaultdict(list)
        self.flows = collections.defaultdict(list)
        for event in self.events:
            if event["ph"] == "X":
                self.slices[event["pid"], event["tid"]].append(event)
            elif event["ph"] in ("s", "f"):
                self.flows[event["cat"], event["name"], event["id"]].append(event)

    def breaches(self):
        """What is not as the format wants it, a line each."""
        if self.unit not in ("ns", "ms"):
            yield f"displayTimeUnit {self.unit}"
        for event in self.events:
            missing = KEYS[event["ph"]] - event.keys()
            if missing:
                yield f"{event} has no {missing}"
            if not all(isinstance(event.get(key, 0), int) for key in ("pid", "tid")):
                yield f"{event}: a process or thread that is no whole number"
            for key in ("ts", "dur"):
                value = event.get(key, Decimal("0.000"))
                if value < 0 or value.as_tuple().exponent != -3:
                    yield f"{event}: {key}"
            if event["ph"] == "C" and not all(v >= 0 for v in event["args"].values()):
                yield f"{event}: a value below 0"
        names = {(event["pid"], event["tid"], event["name"]) for event in self.events
                 if event["ph"] == "M" and event["args"].get("name")}
        for (pid, tid), slices in self.slices.items():
            if (pid, 0, "process_name") not in names or (pid, tid, "thread_name") not in names:
                yield f"process {pid}, thread {tid} has no name"
            yield from self.overlaps(slices)
        for flow, ends in self.flows.items():
            if sorted(event["ph"] for event in ends) != ["f", "s"]:
                yield f"flow {flow} has the ends {ends}"
                continue
            begin, end = sorted(ends, key=lambda event: event["ph"], reverse=True)
            if begin["ts"] > end["ts"]:
                yield f"flow {flow} goes back"
            for event in ends:
                around = [s for s in self.slices[event["pid"], event["tid"]]
                          if s["ts"] <= event["ts"] <= s["ts"] + s["dur"]]
                if not around:
                    yield f"{event} is in no slice"
            if end.get("bp") != "e":
                yield f"{end}: not bound to the enclosing slice"

    @staticmethod
    def overlaps(slices):
        """Slices of a thread that neither nest nor are apart."""
        opened = []
        for event in sorted(slices, key=lambda event: (event["ts"], -event["dur"])):
            while opened and opened[-1] <= event["ts"]:
                opened.pop()
            end = event["ts"] + event["dur"]
            if opened and end > opened[-1]:
                yield f"{event} overlaps another slice"
            opened.append(end)

    def ranks(self):
        """The slices of each process, by category."""
        found = {}
        for (pid, _), slices in self.slices.items():
            for event in slices:
                by_category = found.setdefault(pid, collections.defaultdict(list))
                by_category[event["cat"]].append((event["ts"], event["ts"] + event["dur"]))
        return found


class ReaderTest(unittest.TestCase):
    """The reader sees what is wrong."""

    GOOD = {
        "displayTimeUnit": "ns", "otherData": {},
        "traceEvents": [
            {"ph": "M", "name": "process_name", "pid": 1, "tid": 0, "args": {"name": "rank 0"}},
            {"ph": "M", "name": "thread_name", "pid": 1, "tid": 2, "args": {"name": "sends"}},
            {"ph": "X", "name": "a", "cat": "c", "pid": 1, "tid": 2, "ts": "10.500", "dur": "5.250"},
            {"ph": "X", "name": "b", "cat": "c", "pid": 1, "tid": 2, "ts": "11.000", "dur": "1.000"},
            {"ph": "s", "name": "m", "cat": "f", "id": 7, "pid": 1, "tid": 2, "ts": "10.500"},
            {"ph": "f", "name": "m", "cat": "f", "id": 7, "pid": 1, "tid": 2, "ts": "12.000",
             "bp": "e"},
            {"ph": "C", "name": "waits", "pid": 1, "ts": "3.500", "args": {"pause": 1}},
        ],
    }

    def breaches(self, change=lambda events: None):
        """The breaches of a timeline with a change."""
        content = json.loads(json.dumps(self.GOOD))
        change(content["traceEvents"])
        # Numbers with three decimals
        text = re.sub(r'("(?:ts|dur)": )"([0-9.-]+)"', r"\1\2", json.dumps(content))
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "timeline.json")
            path.write_text(text)
            return list(Timeline(path).breaches())

    def test_what_is_right_passes(self):
        self.assertEqual(self.breaches(), [])

    def test_what_is_wrong_is_seen(self):
        changes = {
            "a key is missing": lambda events: events[2].pop("cat"),
            "a time before 0": lambda events: events[2].update(dur="-1.000"),
            "a time without ns": lambda events: events[2].update(ts="10.5"),
            "slices overlap": lambda events: events[3].update(dur="9.000"),
            "a thread without a name": lambda events: events.pop(1),
            "a flow of one end": lambda events: events.pop(5),
            "a flow that goes back": lambda events: events[5].update(ts="10.499"),
            "an end in no slice": lambda events: events[5].update(ts="15.751"),
            "an end that is not bound": lambda events: events[5].update(bp="x"),
            "a counter below 0": lambda events: events[6]["args"].update(pause=-1),
        }
        for what, change in changes.items():
            self.assertNotEqual(self.breaches(change), [], what)


@unittest.skipUnless(PROGRAM.exists(), "no build of ai-training")
class TimelineTest(unittest.TestCase):
    """The timelines of runs."""

    def run_one(self, scenario, scheme, *arguments):
        """Runs a scheme; the metrics, the timeline, and its path."""
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        options = ["--small", "--no-figures", f"--scenarios={scenario}", f"--schemes={scheme}"]
        command = experiments_command.command(
            PROGRAM, *options, *arguments, f"--out={temporary.name}/out")
        subprocess.run(command, check=True, capture_output=True)
        folder = Path(temporary.name, "out")
        summary = json.loads((folder / "summary.json").read_text())["schemes"]
        metrics = {name: found["value"]
                   for name, found in summary[f"{scheme}@{scenario}"].items()}
        path = folder / f"timeline-{scenario}-{scheme}.json"
        return metrics, Timeline(path), path

    def check(self, metrics, timeline, n_ranks):
        """The format is right, and the sums of the slices match the summary."""
        self.assertEqual(list(timeline.breaches()), [])
        ranks = timeline.ranks()
        self.assertEqual(len(ranks), n_ranks)

        def mean(measure):
            """A mean over the ranks in s, of us."""
            return float(sum(measure(rank) for rank in ranks.values())) / n_ranks / 1e6

        def communication(rank):
            return [interval for kind in (*KINDS, "send", "receive") for interval in rank[kind]]

        def exposed(rank):
            # What is in either, less what is in the computation
            computation = rank["computation"]
            return length(communication(rank) + computation) - length(computation)

        def check(name, measure):
            self.assertAlmostEqual(metrics[name], mean(measure), delta=1e-12, msg=name)

        check("computation_time", lambda rank: length(rank["computation"]))
        check("exposed_communication", exposed)
        for kind in (*KINDS, "send", "receive"):
            name = kind.replace("-", "_") + "_time"
            intervals = [interval for rank in ranks.values() for interval in rank[kind]]
            self.assertEqual(name in metrics, bool(intervals), name)
            if intervals:
                check(name, lambda rank: sum(end - begin for begin, end in rank[kind]))
        ends = [end for rank in ranks.values() for kind in rank.values() for _, end in kind]
        self.assertAlmostEqual(metrics["completion_time"], float(max(ends)) / 1e6, delta=1e-12)
        for cause in CAUSES:
            waited = sum(event["args"][cause] for event in timeline.events if event["ph"] == "C")
            # Each rank's is rounded to ns
            self.assertAlmostEqual(metrics[f"wait_{cause}"], float(waited) / n_ranks / 1e6,
                                   delta=1e-9, msg=cause)
        longest = {pid: (length(rank["computation"]), max(end for kind in rank.values()
                                                          for _, end in kind))
                   for pid, rank in ranks.items()}
        slowest = min(longest, key=lambda pid: (-longest[pid][0], -longest[pid][1], pid))
        self.assertEqual(timeline.notes["slowest_rank"], str(slowest - 1))
        self.assertAlmostEqual(float(timeline.notes["busiest_link_load"]),
                               metrics["busiest_link_load"], delta=1e-6)
        self.assertTrue(0 < metrics["busiest_link_load"] <= 1)

    def test_step_with_incasts(self):
        metrics, timeline, path = self.run_one("storage", "baseline")
        self.check(metrics, timeline, 8)
        self.assertGreater(metrics["wait_rate"], 0)
        self.assertEqual(metrics["computation_time"], 4 * 100e-6)  # 2 layers, forward and backward
        _, _, again = self.run_one("storage", "baseline")
        self.assertEqual(path.read_bytes(), again.read_bytes())

    def test_three_kinds_of_parallelism(self):
        metrics, timeline, _ = self.run_one("quiet", "baseline", "--k=6",
                                            "--workload=training/dp4-tp2-pp2.json")
        self.check(metrics, timeline, 16)
        content = json.loads(Path(__file__).resolve().parents[2].joinpath(
            "examples/data/training/dp4-tp2-pp2.json").read_text())["training"]
        # Each of dp tp pipelines has a message between two stages, forward and backward, for each
        # microbatch
        n_messages = (content["dp"] * content["tp"] * (content["pp"] - 1) * 2
                      * content["microbatches"])
        self.assertEqual(len(timeline.flows), n_messages)
        self.assertTrue(all({end["pid"] for end in ends if end["ph"] == "s"}
                            != {end["pid"] for end in ends if end["ph"] == "f"}
                            for ends in timeline.flows.values()))

    def test_layers_with_delays(self):
        metrics, timeline, _ = self.run_one("quiet", "baseline",
                                            "--workload=training/experts-simai.txt")
        self.check(metrics, timeline, len(timeline.ranks()))
        self.assertIn("delay", {event.get("cat") for event in timeline.events})

    def test_two_jobs(self):
        metrics, timeline, _ = self.run_one("two-jobs", "baseline")
        self.assertEqual(list(timeline.breaches()), [])
        self.assertEqual(timeline.notes["other_job"], "ranks 4 to 7")
        ends = [float(max(end for kind in rank.values() for _, end in kind)) / 1e6
                for _, rank in sorted(timeline.ranks().items())]
        self.assertEqual(len(ends), 8)
        self.assertAlmostEqual(metrics["completion_time"], max(ends[:4]), delta=1e-12)
        self.assertAlmostEqual(metrics["completion_time_other"], max(ends[4:]), delta=1e-12)

    def test_checkpoints(self):
        metrics, timeline, _ = self.run_one("checkpoint", "baseline", "--checkpoint-bytes=20MB")
        self.check(metrics, timeline, 8)
        # 20 MB at 100 Gb/s, with headers of 82 bytes a packet
        self.assertGreater(metrics["checkpoint_time"], 20e6 * 8 / 100e9 * 4178 / 4096)
        self.assertGreater(metrics["checkpoint_time"], metrics["completion_time"])

    def test_restart(self):
        metrics, timeline, _ = self.run_one("restart", "baseline", "--failure-time=350us",
                                            "--restart-delay=12ms",
                                            "--ns3::aidc::RoceNic::AckTimeout=8")
        self.check(metrics, timeline, 8)
        instants = {event["name"]: float(event["ts"]) for event in timeline.events
                    if event["ph"] == "i"}
        self.assertEqual(instants.pop("restart"), 12350)
        down = [instants.pop(name) for name in list(instants) if name.startswith("link down: ")]
        self.assertEqual(down, [350])
        # Rank 7 sends to rank 0, whose link is down, and this one to rank 1
        self.assertEqual(set(instants), {f"first attempt: rank {a} cannot send to rank {b}: "
                                         "retry exceeded" for a, b in ((7, 0), (0, 1))})
        detection = instants["first attempt: rank 7 cannot send to rank 0: retry exceeded"] - 350
        self.assertAlmostEqual(metrics["detection_time"], detection / 1e6, delta=1e-12)
        begin = min(begin for rank in timeline.ranks().values() for kind in rank.values()
                    for begin, _ in kind)
        self.assertEqual(begin, 12350)

    def test_simulators_write_the_same(self):
        for scenario in ("storage", "two-jobs", "checkpoint", "restart"):
            paths = [self.run_one(scenario, "swift-csig", f"--simulator={name}", "--layers=1")[2]
                     for name in ("default", "windows")]
            self.assertEqual(paths[0].read_bytes(), paths[1].read_bytes(), scenario)
