# SPDX-License-Identifier: GPL-2.0-only
"""Tests of wrong command lines: each experiment says in a line or two what was expected."""

import json
import os
import re
import subprocess
import unittest
from pathlib import Path

import experiments_command
from folder_test import SOURCE, FolderTest
from tools import experiments

PYTHON = os.environ.get("AIDC_PYTHON")
NAMES = [experiment.name for experiment in experiments.experiments(SOURCE)]
PROGRAMS = [experiments_command.program(name) for name in NAMES]

ALL = (
    # Counts
    ("--seed=-1", "--seed to be a whole number"),
    ("--seed=3.7", "--seed to be a whole number"),
    ("--seed=8x", "--seed to be a whole number"),
    ("--seed=", "--seed to be a whole number"),
    ("--seed=0", "--seed"),
    ("--runs=-1", "--runs to be a whole number"),
    ("--runs=0", "--runs"),
    ("--runs=1e3", "--runs to be a whole number"),
    ("--runs=99999999999", "--runs to be a whole number"),
    ("--processes=x", "--processes to be a whole number"),
    ("--jobs=all", "--jobs to be a whole number"),
    # Names
    ("--scenarios=nowhere", "--scenarios to be some of"),
    ("--scenarios=", "--scenarios to be some of"),
    ("--devices=wifi", "--devices"),
    ("--datapath=slow", "--datapath"),
    ("--simulator=magic", "--simulator"),
    ("--small=perhaps", "--small to be true or false"),
    # Attributes
    ("--ns3::aidc::CoupledEcnQueueDisc::EcnFloor=10p", "EcnFloor to be Minimum of ECN_Thrd"),
    ("--ns3::aidc::CsigDomain::AbwBuckets=0,fast", "AbwBuckets to be Buckets of min.ABW."),
    ("--ns3::aidc::CsigHost::Signals=min(X)", "Signals to be The signals to ask for"),
    ("--ns3::aidc::SwitchPortQueueDisc::DscpMap=26:8", "DscpMap to be Class by DSCP"),
    ("--ns3::aidc::SharedBuffer::Size=0B", "Size to be"),
    ("--ns3::aidc::SharedBuffer::Size=1GB", "Its type is a size in B, kB, KB, KiB, MB or MiB"),
    ("--ns3::aidc::CoupledEcnQueueDisc::Mode=StaticRed", "--schemes in place of --ns3::aidc"),
    # Values of ns-3 that options set
    ("--SimulatorImplementationType=ns3::Foo", "expected --simulator=windows or default in place"),
    ("--RngSeed=3", "expected --seed in place of --RngSeed"),
    ("--RngRun=3", "expected --runs, .* in place of --RngRun"),
    ("--ns3::aidc::FlowSetSelector::Smoothing=0", "Smoothing to be Weight of the newest"),
    ("--ns3::aidc::SharedBuffer::Sise=1MB", "no attribute ns3::aidc::SharedBuffer::Sise"),
    ("--ns3::aidc::SharedBufferQueue::Alpha=abc", "Its type is double [0-9.e-]+:65536"),
    ("--ns3::aidc::SharedBufferQueue::Alpha=1x", 'found "1x"'),
    ("--ns3::aidc::EthernetNetDevice::Mtu=1500x", "Its type is uint16_t 68:65535"),
    ("--ns3::aidc::EthernetNetDevice::Mtu=67", "Its type is uint16_t 68:65535"),
    ("--ns3::aidc::EthernetNetDevice::DataRate=40", "DataRate to have a unit"),
    ("--ns3::aidc::EthernetNetDevice::DataRate=fast", "DataRate to be The rate of the link"),
    ("--ns3::aidc::SwitchDatapath::Mode=Slow", "Its type is .*Fast.*Stack"),
    ("--ns3::aidc::BgpSpeaker::HoldTime=90", "HoldTime to have a unit"),
    ("--ns3::aidc::BgpSpeaker::HoldTime=90y", "HoldTime to be"),
    ("--ns3::TcpL4Protocol::SocketType=ns3::TcpDctcpp", 'found "ns3::TcpDctcpp"'),
    # Words and options that there are not
    ("--sead=1", r"no option --sead \(did you mean --seed\?\)"),
    ("--no-such-option", "no option --no-such-option; --help lists them"),
    ("--rums=3", r"no option --rums \(did you mean --runs\?\)"),
    ("--jbos=3", r"no option --jbos \(did you mean --jobs\?\)"),
    ("word", 'found "word"'),
    ("--seed=1 --seed=2", "--seed is given twice"),
    ("--out=a b", 'found "b"; a value with blanks'),
)

OF_ONE = (
    ("coupled-ecn", "--alpha=8x", "--alpha to be"),
    ("coupled-ecn", "--alpha=0.5,1,2", "--alpha to be"),
    ("coupled-ecn", "--alpha=-1", "--alpha to be"),
    ("coupled-ecn", "--alpha=nan", "--alpha to be"),
    ("coupled-ecn", "--load=2", "--load to be"),
    ("coupled-ecn", "--buffer=1GB", "--buffer to be a size in B, kB, KB, KiB, MB or MiB"),
    ("coupled-ecn", "--scenarios=light,light", "names that differ, found \"light\" twice"),
    ("coupled-ecn", "--schemes=coupled,coupled", "names that differ, found \"coupled\" twice"),
    ("coupled-ecn", "--recovery=go-back-n", "expected --transport=dcqcn, swift, hpcc, timely or none with --recovery"),
    ("coupled-ecn", "--scenarios=light --duration=1ms", "step, unresponsive with --duration"),
    ("coupled-ecn", "--scenarios=light --flows=/f.txt", "expected no --flows with --scenarios"),
    ("coupled-ecn", "--scenarios=light --load=0.5", "expected --scenarios=mix with --load"),
    ("coupled-ecn", "--schemes=red --offset=1kB", "expected --schemes=coupled with --offset"),
    ("coupled-ecn", "--schemes=red --kmin=3MB", "expected --kmin up to --kmax"),
    ("coupled-ecn", "--schemes=coupled --static-low=1kB", "--schemes=static-low with --static-low"),
    ("coupled-ecn", "--devices=point-to-point --datapath=fast", "--devices=ethernet with"),
    ("coupled-ecn", "--ns3::aidc::CoupledEcnQueueDisc::Offset=10B", "--offset in place of"),
    ("coupled-ecn", "--ns3::aidc::CoupledEcnQueueDisc::EcnFloor=1kB", "--ecn-floor in place of"),
    ("coupled-ecn", "--ns3::aidc::CoupledEcnQueueDisc::Threshold=1kB", "--static-low in place of"),
    ("coupled-ecn", "--ns3::aidc::SharedBuffer::Size=1MB", "--buffer in place of"),
    ("coupled-ecn", "--ns3::aidc::SharedBufferQueue::Alpha=2", "--alpha in place of"),
    ("ai-training", "--small --k=5", "--k as an even number from 4 to 64, found 5"),
    ("ai-training", "--scenarios=quiet --storage-bytes=1kB", "--scenarios=storage with"),
    ("ai-training", "--checkpoint-bytes=1MB", "--scenarios=checkpoint with"),
    ("ai-training", "--scenarios=two-jobs --restart-delay=1ms", "--scenarios=restart with"),
    ("ai-training", "--small --job-ranks=9", "--job-ranks of at most 8 ranks, half of the hosts"),
    (
        "ai-training",
        "--small --scenarios=two-jobs --job-ranks=5",
        "--job-ranks of at most 4 ranks, a quarter of the hosts of --k=4, with two jobs, found 5",
    ),
    (
        "ai-training",
        "--small --scenarios=restart --failed-rank=8",
        "--failed-rank below 8, the ranks, found 8",
    ),
    (
        "ai-training",
        "--small --scenarios=restart --failure-time=1ms",
        r"--failure-time below \+\d+us, which the step takes alone, found \+1000us",
    ),
    (
        "ai-training",
        "--scenarios=two-jobs --workload=training/gpt-13b-128.json",
        "training/gpt-13b-128.json to have at most 32 ranks, a quarter of the hosts of --k=8",
    ),
    ("ai-training", "--small --buffer=100kB", "the shared buffer of 100000 bytes does not have"),
    ("two-sites", "--size=huge", '--size to be small, default or large, found "huge"'),
    ("two-sites", "--small --size=large", "--size=large without --small"),
    ("two-sites", "--k=5", "--k as an even number from 4 to 16, found 5"),
    ("two-sites", "--storage-senders=9", "--storage-senders from 1 to 8"),
    ("two-sites", "--bursts=0 --burst-bytes=1MB", "--bursts above 0 with --burst-bytes"),
    ("pre-ecn", "--small --t1=16MB --t2=2MB", "--t1 below --t2"),
    ("pre-ecn", "--schemes=tail-drop --t2=20MB", "schemes of two thresholds with --t2"),
    ("flowset-ecmp", "--schemes=hash-ecmp --interval=1ms", "--schemes=flow-set.* with --interval"),
    ("flowset-ecmp", "--transport=hpcc --rate=40Gbps --small",
     "links of 25, 50, .* or 800 Gbit/s with --transport=hpcc, found one of 40000000000 bit/s$"),
    ("gpu-servers", "--ns3::aidc::RoceMessageEndpoint::Striped=true --small",
     "--queue-pairs above 1 with --ns3::aidc::RoceMessageEndpoint::Striped, as GPUs have one link"),
    ("incast", "--transport=hpcc --rate=40Gbps --small",
     "links of 25, 50, .* or 800 Gbit/s with --transport=hpcc, found one of 40000000000 bit/s$"),
    ("int-csig", "--senders=1", "expected --senders from 2 to 24, found 1"),
    ("int-csig", "--small --degree=13", "expected --degree from 1 to 12, found 13"),
    ("int-csig", "--interval=1us", "expected --interval of at least"),
    ("int-csig", "--scenarios=mix --senders=3", "expected --scenarios=joins with --senders"),
    ("int-csig", "--schemes=int --window=1us", "expected --schemes=csig"),
    ("csig-fabric", "--scenarios=accuracy --rate=1Gbps", "hot-spot or incast with --rate"),
    ("fare-clos", "--scenarios=intact-5 --leaves=4", "scenarios of three stages with --leaves"),
    ("coupled-ecn", "--buffer=12", "--buffer to be a size in B, kB"),
    ("coupled-ecn", "--buffer=12MBx", "--buffer to be a size in B, kB"),
    ("coupled-ecn", "--buffer=-1B", "--buffer to be a size in B, kB"),
    ("coupled-ecn", "--buffer=1B", "--buffer to be at least 10kB"),
    ("coupled-ecn", "--rtt=1000000s", "--rtt to be at most 1000s"),
    ("coupled-ecn", "--rtt=9999999999999999999999s", "--rtt to be at most 1000s"),
    ("pre-ecn", "--buffer=1B", "--buffer to be at least 10kB"),
    ("pre-ecn", "--scenarios=ms", "--scenarios to be some of DELAY, DELAY-long"),
    ("pre-ecn", "--scenarios=1.5ms", 'found "1.5ms"'),
    ("pre-ecn", "--scenarios=5ms-both-long", 'found "5ms-both-long"'),
    ("pre-ecn", "--scenarios=9us", 'found "9us"'),
    ("pre-ecn", "--scenarios=1001ms", 'found "1001ms"'),
    ("pre-ecn", "--scenarios=5ms,5ms", "--scenarios to have 5ms once"),
    ("pre-ecn", "--layers=0", "--layers above 0"),
    ("pre-ecn", "--chunks=0", "--chunks above 0"),
    ("pre-ecn", "--scenarios=1ms-long --long-round-trips=0", "--long-round-trips from 1 to"),
    ("pre-ecn", "--scenarios=100us", "--edge-delay below half of the delay"),
    ("pre-ecn", "--scenarios=5ms-maintenance", 'found "5ms-maintenance"'),
    ("pre-ecn", "--scenarios=5ms-long-failure-both", 'found "5ms-long-failure-both"'),
    ("pre-ecn", "--scenarios=1ms-long-failure --long-round-trips=6", "round-trips of 7 at least"),
    ("pre-ecn", "--sites=3", "--sites=2 in scenarios without -long"),
    ("pre-ecn", "--scenarios=1ms-long --sites=15", "--sites from 2 to 14"),
    ("flowset-ecmp", "--duration=1000000s", "--duration to be at most 1000s"),
    ("coupled-ecn", "--topology=/", "/: expected a file that can be read, found \"a folder\""),
    ("coupled-ecn", "--topology=/dev/null", "/dev/null:1: expected 3 numbers"),
    ("coupled-ecn", "--flow-sizes=/nowhere/s.txt", "/nowhere/s.txt: expected a file"),
    ("flowset-ecmp", "--topology=/nowhere/x.txt", "/nowhere/x.txt: expected a file"),
    ("ai-training", "--workload=/nowhere/x.json", "/nowhere/x.json: expected a file"),
    ("ai-training", "--workload=/dev/null", "/dev/null:1: expected a workload of SimAI or ASTRA-sim"),
    (
        "ai-training",
        "--workload=training/mlp-astra-sim.txt",
        "expected a number of ranks from 1 to 1048576 by --workload-ranks",
    ),
    (
        "ai-training",
        "--workload=training/mlp-astra-sim.txt --workload-ranks=8",
        "a number of neighbors by --workload-neighbors that divides the 8 ranks",
    ),
    (
        "ai-training",
        "--small --workload=training/data-parallel-16.json",
        "training/data-parallel-16.json to have at most 8 ranks",
    ),
    ("ai-training", "--workload-format=chakra", 'format to be astra-sim or auto or simai, found "chakra"'),
    ("ai-training", "--workload-algorithms=all-reduce:tree", 'ring, found "all-reduce:tree"'),
    ("ai-training", "--workload-passes=0", "--workload-passes above 0"),
    ("ai-training", "--leap=2", "--leap to be an error from 1e-6 to 0.5, or off"),
    ("gpu-servers", "--leap=some", "--leap to be an error from 1e-6 to 0.5, or off"),
    ("gpu-servers", "--leap-check", "expected --leap"),
    ("gpu-servers", "--leap --pxn", "--leap without --pxn"),
    ("ai-training", "--workload-passes=2", "expected --workload without Chakra traces"),
    (
        "ai-training",
        "--workload=training/data-parallel-16.json --workload-chunks=2",
        "expected --workload without a training step",
    ),
    ("coupled-ecn", "--rtt=100", "--rtt to be a time with its unit"),
    ("coupled-ecn", "--rtt=-1us", "--rtt to be a time with its unit"),
    ("coupled-ecn", "--topology=/nowhere/x.txt", "/nowhere/x.txt"),
    ("coupled-ecn", "--flows=/nowhere/f.txt", "/nowhere/f.txt"),
    ("flowset-ecmp", "--interval=100", "--interval to be a time with its unit"),
    ("flowset-ecmp", "--gap=fast", "--gap to be a time with its unit"),
    ("csig-fabric", "--rate=40", "--rate to be a rate with its unit"),
    ("csig-fabric", "--rate=Gbps", "--rate to be a rate with its unit"),
    ("fare-clos", "--leaves=1", "--leaves from 2 to 64"),
    ("fare-clos", "--pods=17", "--pods from 2 to 16"),
    ("fare-clos", "--hosts=0", "--hosts from 1 to 16"),
    ("fare-clos", "--degraded=0.6", "--degraded to be"),
    ("fare-clos", "--scenarios=degraded-3 --slow=0", "--slow to be"),
    ("fare-clos", "--scenarios=intact-3 --slow=0.1", "degraded-core-5 or loaded with --slow"),
    ("fare-clos", "--scenarios=intact-3 --background=0.2", "--scenarios=loaded with --background"),
    ("fare-clos", "--scenarios=loaded --background=0.95", "--background to be"),
    ("gpu-servers", "--protocol=tcp", "--protocol to be none, simple, ll or ll128"),
    ("gpu-servers", "--scenarios=hierarchical --protocol=simple", "NCCL has ring, double-tree"),
    ("gpu-servers", "--scenarios=nvls --protocol=ll", "NCCL has nvls with simple"),
    ("gpu-servers", "--measured=nowhere", "--measured with rows"),
    ("gpu-servers", "--measured=p5-1mib,p5-1mib", "each once"),
    ("gpu-servers", "--measured=p5-1mib --costs=some", "--costs to be none, nccl or fitted"),
    ("gpu-servers", "--measured=p5-1mib --gpus=8", "no --measured"),
    ("incast", "--small --chip=tomahawk-9",
     "a chip of tomahawk, tomahawk-2, tomahawk-5, trident-2, trident-3, or the path of a file"),
    ("incast", "--small --chip=trident-2:x", "a configuration of trident-2 of any-40000_300m"),
    ("incast", "--chip=tomahawk --alpha=2", "no --chip with --alpha"),
    ("silicon", "--repeats=0", "--repeats from 1 to 10000"),
    ("silicon", "--chip=tomahawk-9", "a chip of tomahawk, tomahawk-2"),
    ("silicon", "--chip=trident-2 --scenarios=incast", "--scenarios with numbers of the chip"),
    ("weight-tables", "--next-hops=17", "--next-hops from 2 to 16"),
    ("weight-tables", "--least=0", "--least to be"),
    ("fare-clos", "--queue-pairs=0", "--queue-pairs from 1 to 256"),
    ("fare-clos", "--kmin=500kB", "--kmin up to --kmax"),
    ("fare-clos", "--transport=dctcp", "--transport to be dcqcn, swift, hpcc, timely or none"),
    ("fare-clos", "--devices=point-to-point", "--devices to be ethernet, found"),
    ("fare-clos", "--processes=2 --jobs=2", "--processes=1 with --jobs"),
    ("fare-clos", "--processes=2 --simulator=default", "--processes=1 with --simulator"),
    ("fare-clos", "--reorder-window=5000", "--reorder-window up to 4096"),
    ("fare-clos", "--exchange=20B", "--exchange of at least"),
    ("fabric-failures", "--leaves=1", "--leaves from 2 to 64"),
    ("fabric-failures", "--bfd-multiplier=256", "--bfd-multiplier from 1 to 255"),
    ("fabric-failures", "--bfd-interval=100us", "--bfd-interval from 1ms to 10s"),
    ("fabric-failures", "--interval=100ns", "--interval from 200ns to 1ms"),
    ("fabric-failures", "--hold-time=2s", "--hold-time of whole seconds"),
    ("fabric-failures", "--hold-time=3500ms", "--hold-time of whole seconds"),
    ("fabric-failures", "--down=9s", "--down longer than --hold-time"),
    ("fabric-failures", "--scenarios=link --restart=3s", "restart-failure with --restart"),
    ("fabric-failures", "--scenarios=maintenance --detection=1us", "link, spine or restart-failure"),
)


# Runs each command line of stdin in one process, as Python's start takes seconds
DRIVER = """\
import json, os, sys, tempfile
import aidc
cases = json.load(sys.stdin)
before = os.dup(1), os.dup(2)
outcomes = []
for name, words, folder in cases:
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        os.dup2(out.fileno(), 1)
        os.dup2(err.fileno(), 2)
        os.chdir(folder)
        sys.argv = ["script.py", *words]
        status = 0
        try:
            aidc.run_script(name)
        except SystemExit as end:
            status = end.code
        os.dup2(before[0], 1)
        os.dup2(before[1], 2)
        out.seek(0)
        err.seek(0)
        outcomes.append([status, out.read(), err.read()])
json.dump(outcomes, sys.stdout)
"""


NOT_OF = {
    "fabric-failures": ("--ns3::aidc::CoupledEcnQueueDisc::Mode",),
    "silicon": ("--ns3::aidc::CoupledEcnQueueDisc::Mode",),
    "two-sites": ("--scenarios", "--ns3::aidc::CoupledEcnQueueDisc::Mode"),
    "weight-tables": ("--ns3::aidc::CoupledEcnQueueDisc::Mode",),
}
"""Options that an experiment does not have, and attributes that its options do not set."""


def all_cases(is_short=False):
    """An experiment, its words, and what it is to say: all of the tables above.

    The short list has each text of all experiments with two of them.
    """
    for i, (text, expected) in enumerate(ALL):
        n = len(NAMES)
        for name in (NAMES[i % n], NAMES[(i + n // 2) % n]) if is_short else NAMES:
            if text.partition("=")[0] not in NOT_OF.get(name, ()):
                yield name, text.split(" "), expected
    for name, text, expected in OF_ONE:
        yield name, text.split(" "), expected


@unittest.skipUnless(all(map(Path.exists, PROGRAMS)), "AIDC_BUILD_DIR names no build of all")
class BadInput(FolderTest):
    """A wrong command line, where there are results already."""

    def setUp(self):
        super().setUp()
        for name in (*(f"results/{name}" for name in NAMES), "a"):
            earlier = self.folder / name
            earlier.mkdir(parents=True)
            (earlier / "summary.json").write_text("{}")
            (earlier / "totals.csv").write_text("scenario,scheme\n")
        self.before = self.files()

    def files(self):
        """The content of all files, by path."""
        return {path: path.read_bytes() for path in self.folder.rglob("*") if path.is_file()}

    def check(self, status, out, err, expected):
        """It has ended with 1 or 2, has said what was expected, and has written nothing."""
        self.assertIn(status, (1, 2), err)
        self.assertLessEqual(len(err.splitlines()), 3, err)
        self.assertRegex(err, re.compile(expected))
        self.assertEqual(out, "")

    def test_programs(self):
        for name, words, expected in all_cases():
            with self.subTest(program=name, of=words):
                ended = experiments_command.run(name, *words, folder=self.folder)
                self.check(ended.returncode, ended.stdout, ended.stderr, expected)
                self.assertEqual(self.files(), self.before)

    @unittest.skipUnless(PYTHON, "AIDC_PYTHON names no Python with ns-3's bindings")
    def test_scripts(self):
        cases = list(all_cases(is_short=True))  # each takes a third of a second
        ended = subprocess.run(
            [PYTHON, "-B", "-c", DRIVER],
            input=json.dumps([[name, words, str(self.folder)] for name, words, _ in cases]),
            env={**os.environ, "PYTHONPATH": str(SOURCE / "bindings")},
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
        outcomes = json.loads(ended.stdout)
        self.assertEqual(len(outcomes), len(cases))
        for (name, words, expected), outcome in zip(cases, outcomes):
            with self.subTest(script=name, of=words):
                self.check(*outcome, expected)
        self.assertEqual(self.files(), self.before)
