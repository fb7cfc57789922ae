# SPDX-License-Identifier: GPL-2.0-only
"""Tests of the package in bindings/: its modules, its integers, and errors of C++."""

import os
import subprocess
import unittest

from folder_test import SOURCE

PYTHON = os.environ.get("AIDC_PYTHON")
MODULES = """\
from aidc import ns
flows = ns.FlowMonitorHelper()
print(flows.InstallAll() is not None)
print(ns.AnimationInterface.IsInitialized())
print(ns.lorawan.Nothing if hasattr(ns, "lorawan") else "no lorawan")
try:
    ns.FlowMonitorHelpers
except AttributeError as error:
    print("FlowMonitorHelpers" in str(error))
"""

INDEXES = """\
from aidc import ns
aidc = ns.aidc
settings = aidc.LeafSpineSettings()
settings.leaves, settings.hostsPerLeaf, settings.spines = 2, 2, 1
hosts = list(aidc.MakeLeafSpine(settings).GetHosts())
first = int(hosts[0])
assert hosts[1] == first + 1 == hosts[0] + 1 and 1 + hosts[0] == hosts[1]
assert hosts[0] != hosts[1] and hosts[0] < hosts[1] and max(hosts) == hosts[3]
assert list(range(10))[hosts[1]] == first + 1 and list(range(hosts[0])) == list(range(first))
assert {hosts[0]: "a"}[first] == "a" and len({*hosts, *hosts}) == 4
assert f"{hosts[1]} {hosts[1]:03d} {hosts[1]!r}" == f"{first + 1} {first + 1:03d} {first + 1}"
assert hosts[1] - hosts[0] == 1 and 2 * hosts[1] == 2 * first + 2 and hosts[3] % 2 == (first + 3) % 2
assert aidc.NodeIndex(3) == 3 and aidc.PortIndex(3) != 4 and int(aidc.LinkIndex(7)) == 7
flow = aidc.FlowSpec()
flow.source, flow.destination = first, hosts[1]
assert flow.source == hosts[0] and flow.destination == first + 1
try:
    import pandas
except ImportError:
    raise SystemExit("without pandas")
table = pandas.DataFrame({"host": hosts, "value": [1, 2, 3, 4]})
assert table["host"].astype(int).tolist() == [first, first + 1, first + 2, first + 3]
assert pandas.Series(hosts, dtype="int64").sum() == 4 * first + 6
assert table[table["host"] == first + 1]["value"].tolist() == [2]
assert (table["host"] + 1).tolist() == [first + 1, first + 2, first + 3, first + 4]
assert table.groupby("host")["value"].sum()[first + 2] == 3
assert table.sort_values("host", ascending=False)["value"].tolist() == [4, 3, 2, 1]
"""

# Errors by each of ns-3's macros, also while a simulation runs, after which another one runs; the
# last one is not caught
FATAL = r"""
import cppyy
from aidc import ns
cppyy.cppdef('''
namespace sample
{
int events = 0;
void Event() { ++events; }
void Fatal() { NS_FATAL_ERROR("in two\\nlines " << 7); }
void Abort() { NS_ABORT_MSG_IF(events >= 0, "aborted"); }
void Bare() { NS_FATAL_ERROR_NO_MSG(); }
void Say(const std::string& text) { std::cerr << text << std::flush; }
void Schedule() {
    ns3::Simulator::Schedule(ns3::Seconds(1), &Fatal);
    ns3::Simulator::Schedule(ns3::Seconds(2), &Event);
}
void ScheduleEvent() { ns3::Simulator::Schedule(ns3::Seconds(3), &Event); }
}
''')
sample = cppyy.gbl.sample
def caught(function):
    try:
        function()
    except ns.aidc.FatalError as error:
        print(repr(error.what()), error.what() in str(error), isinstance(error, Exception))
size, value = "ns3::aidc::SharedBuffer::Size", ns.StringValue("nonsense")
for _ in range(3):
    caught(lambda: ns.Config.SetDefault(size, value))
    caught(lambda: ns.Mac48Address("zz"))
    caught(sample.Abort)
    caught(sample.Bare)
    sample.Say("msg")
    sample.Say("ing\n")
    sample.Schedule()
    caught(ns.Simulator.Run)
    print(ns.Simulator.Now().GetSeconds(), sample.events)
    ns.Simulator.Destroy()
    sample.events = 0
    sample.ScheduleEvent()
    ns.Simulator.Run()
    print(ns.Simulator.Now().GetSeconds(), sample.events, flush=True)
    ns.Simulator.Destroy()
    sample.events = 0
ns.Config.SetDefault(size, value)
print("after")
"""

IN_DESTRUCTOR = """\
import cppyy
from aidc import ns
cppyy.cppdef('''
struct Guard { ~Guard() { NS_FATAL_ERROR("in a destructor"); } };
void guard() { Guard guard; }
''')
cppyy.gbl.guard()
"""

EXCEPTION = """\
import cppyy
from aidc import ns
settings = ns.aidc.LeafSpineSettings()
settings.leaves = 0
try:
    ns.aidc.MakeLeafSpine(settings)
except cppyy.gbl.std.invalid_argument as error:
    print("expected leaves of at least 1" in str(error), isinstance(error, Exception))
"""


@unittest.skipUnless(PYTHON, "AIDC_PYTHON names no Python with ns-3's bindings")
class Bindings(unittest.TestCase):
    """Scripts, each in a process of its own."""

    def run_script(self, code):
        """Runs a script."""
        environment = {**os.environ, "PYTHONPATH": str(SOURCE / "bindings")}
        command = [PYTHON, "-B", "-c", code]
        return subprocess.run(command, env=environment, capture_output=True, text=True)

    def test_modules_are_loaded_when_they_are_used(self):
        ended = self.run_script(MODULES)
        self.assertEqual(ended.stdout, "True\nFalse\nno lorawan\nTrue\n", ended.stderr)

    def test_indexes_are_integers(self):
        ended = self.run_script(INDEXES)
        if "without pandas" in ended.stderr:
            self.skipTest("AIDC_PYTHON has no pandas")
        self.assertEqual(ended.returncode, 0, ended.stderr)

    def test_a_fatal_error_is_an_exception(self):
        ended = self.run_script(FATAL)
        self.assertEqual(ended.returncode, 1)
        lines = ended.stdout.splitlines()
        self.assertEqual(len(lines), 21, ended.stdout + ended.stderr)
        for begin in range(0, 21, 7):
            for line, text in zip(
                lines[begin:],
                (
                    'msg="Could not set default value for ns3::aidc::SharedBuffer::Size", file=',
                    'NS_ASSERT failed, cond="',
                    'aborted. cond="events >= 0", msg="aborted", ',
                    "file=",
                    r'msg="in two\nlines 7", +1.000000000s -1 file=',
                ),
            ):
                self.assertTrue(line.startswith(f"'{text}"), line)
                self.assertTrue(line.endswith(" True True"), line)
            self.assertEqual(lines[begin + 5 : begin + 7], ["1.0 0", "3.0 1"])
        # No message is printed except in the traceback
        lines = ended.stderr.splitlines()
        self.assertEqual(lines[:4], [*3 * ["msging"], "Traceback (most recent call last):"])
        message = 'FatalError: msg="Could not set default value for ns3::aidc::SharedBuffer::Size"'
        self.assertIn(message, lines[-1])
        self.assertEqual(ended.stderr.count("msg="), 1)

    def test_where_no_exception_passes(self):
        ended = self.run_script(IN_DESTRUCTOR)
        self.assertEqual((ended.returncode, ended.stdout), (1, ""))
        self.assertRegex(ended.stderr, r'\A[\w.]+: msg="in a destructor", file=.*\n\Z')

    def test_an_exception_is_one_of_python(self):
        ended = self.run_script(EXCEPTION)
        self.assertEqual((ended.returncode, ended.stdout), (0, "True True\n"), ended.stderr)
