# SPDX-License-Identifier: GPL-2.0-only
"""Tests of users' own programs: what ./aidc new writes, built and run as ./aidc run does."""

import io
import os
import re
import signal
import subprocess
import unittest
from contextlib import redirect_stderr
from pathlib import Path
from types import SimpleNamespace

from folder_test import SOURCE, FolderTest
from tools import checkout, commands, sweep_engines, sweep_tables, sweeps
from tools.console import Failure, run_steps

BUILD = os.environ.get("AIDC_BUILD_DIR")
PYTHON = os.environ.get("AIDC_PYTHON")
# Uses modules of ns-3 that this one does not need, and then ends in one of several ways.
OTHERS = """\
#include "ns3/aidc-module.h"
#include "ns3/netanim-module.h"
#include "ns3/olsr-module.h"
#include "ns3/wifi-module.h"
using namespace ns3;

int main(int argc, char* argv[])
{
    WifiHelper().SetStandard(WIFI_STANDARD_80211ac);
    OlsrHelper().Set("HelloInterval", TimeValue(Seconds(1)));
    std::cout << "animated: " << AnimationInterface::IsInitialized() << "\\n";
    const std::string how = argc > 1 ? argv[1] : "";
    if (how == "options")
    {
        aidc::LeafSpineSettings settings;
        settings.leaves = 0;
        aidc::MakeLeafSpine(settings);
    }
    if (how == "event")
    {
        Simulator::Schedule(Seconds(1), [] { throw std::runtime_error("too late"); });
        Simulator::Run();
    }
    if (how == "fatal")
    {
        Config::SetDefault("ns3::aidc::SharedBuffer::Size", StringValue("nonsense"));
    }
    if (how == "handled")
    {
        try
        {
            throw std::runtime_error("is handled");
        }
        catch (const std::exception&)
        {
            NS_FATAL_ERROR("as this says");
        }
    }
    if (how == "own")
    {
        std::set_terminate([] { std::_Exit(42); });
        throw std::runtime_error("for the handler of the program");
    }
}
"""
FLOWS = r"(\d+ bytes took [\d.]+ us\n){9}last_fct = [\d.e-]+ s\n"
LAST_LINK = r"10\.0\.1\.\d+ is limited by leaf-0:host-0\n"  # which nine flows share
PRINTED = rf"\A{FLOWS}({LAST_LINK}){{9}}\Z"


class First(FolderTest):
    """./aidc new, and what it has written."""

    def new(self, name):
        """Writes a first program and returns its path."""
        path = self.folder / name
        commands.write_first(SOURCE, path)
        return path

    def test_at_most_50_lines_and_no_licence(self):
        for name in ("mine.cc", "mine.py"):
            text = self.new(name).read_text()
            self.assertLessEqual(len(text.splitlines()), 50, name)
            self.assertNotIn("SPDX", text)

    def test_refuses(self):
        path = self.new("mine.cc")
        path.write_text("precious")
        for name, text in (
            ("mine.cc", "exists already"),
            ("mine.txt", "neither NAME.cc nor NAME.py"),
            ("no-folder/mine.py", "No such file or directory"),
        ):
            with self.assertRaisesRegex(Failure, text):
                self.new(name)
        self.assertEqual(path.read_text(), "precious")

    def test_names_the_file_that_is_missing(self):
        with self.assertRaisesRegex(Failure, "There is no file .*missing.cc"):
            checkout.user_program(self.folder / "missing.cc", None)

    def program(self, path):
        """The program of a source, built in a folder of the test, and the steps that build it."""
        cache = (Path(BUILD) / "CMakeCache.txt").read_text()
        ns3 = SimpleNamespace(cmake_dir=re.search("^ns3_DIR:.*?=(.*)$", cache, re.M)[1])
        build = SimpleNamespace(folder=Path(BUILD), ns3=ns3, source=SOURCE)
        program, steps = checkout.user_program(path, build, self.folder / "build")
        run_steps(steps)
        return program, steps

    @unittest.skipUnless(BUILD, "AIDC_BUILD_DIR names no standalone build")
    def test_modules_and_uncaught_errors(self):
        path = self.folder / "others.cc"
        path.write_text(OTHERS)
        program, _ = self.program(path)
        for how, status, error in (
            ("", 0, ""),
            # The library leaves uncaught exceptions to the standard library.
            ("options", -signal.SIGABRT, r"terminate called .*\n  what\(\):  .*lea(f|ves).*\n"),
            ("event", -signal.SIGABRT, r"terminate called .*\n  what\(\):  too late\n"),
            ("fatal", -signal.SIGABRT, "(.|\n)*Could not set default value(.|\n)*"),
            (
                "handled",
                -signal.SIGABRT,
                r'msg="as this says".*\nNS_FATAL, terminating\n(?!others: )(.|\n)*',
            ),
            ("own", 42, ""),
        ):
            with self.subTest(how):
                ended = subprocess.run([program, how], capture_output=True, text=True)
                self.assertEqual(ended.returncode, status, ended.stderr)
                self.assertRegex(ended.stderr, rf"\A{error}\Z")
                if how in ("", "fatal"):
                    self.assertEqual(ended.stdout, "animated: 0\n")

    @unittest.skipUnless(BUILD, "AIDC_BUILD_DIR names no standalone build")
    def test_program(self):
        path = self.new("mine.cc")
        program, steps = self.program(path)
        output = subprocess.check_output([program, "--RngRun=2"], text=True)
        self.assertRegex(output, PRINTED)
        # Its last flow is a metric of a sweep, over its own option and an attribute.
        mode = "ns3::aidc::CoupledEcnQueueDisc::Mode"
        sweep = sweeps.Sweep("mine", {"senders": ["2", "8"], mode: ["StaticStep"]}, 1, [])
        checked = sweeps.checked_program(program, sweep, os.environ)
        with redirect_stderr(io.StringIO()), sweeps.opened(sweep, self.folder / "out"):
            local = sweep_engines.Local(2, os.environ)
            sweep_engines.run_all(sweep, checked, self.folder / "out", local)
        rows = list(sweep_tables.rows_of(sweep, self.folder / "out"))
        found = [(run.values["senders"], metric.name, metric.unit) for run, metric in rows]
        self.assertEqual(found, [("2", "last_fct", "s"), ("8", "last_fct", "s")])
        self.assertLess(rows[0][1].value, rows[1][1].value)
        for senders in (0, 48):
            command = [program, f"--senders={senders}"]
            ended = subprocess.run(command, capture_output=True, text=True)
            self.assertEqual((ended.returncode, ended.stdout), (1, ""))
            self.assertEqual(ended.stderr, "expected --senders from 1 to 47\n")
        # It is built again when it has changed, and an error names its line.
        path.write_text("int main() { return 7; }\n")
        run_steps(steps)
        self.assertEqual(subprocess.run([program]).returncode, 7)
        path.write_text("int main() { return nothing; }\n")
        with self.assertRaises(Failure) as caught:
            run_steps(steps)
        self.assertRegex(caught.exception.report(), r"mine\.cc:1:21: error: .*nothing")

    @unittest.skipUnless(PYTHON and BUILD, "AIDC_PYTHON names no Python with ns-3's bindings")
    def test_script(self):
        probe = [PYTHON, "-c", "import pandas, matplotlib"]
        if subprocess.run(probe, capture_output=True).returncode != 0:
            self.skipTest("AIDC_PYTHON has no pandas or no matplotlib")
        environment = {**os.environ, "PYTHONPATH": str(SOURCE / "bindings")}
        command = [PYTHON, "-B", self.new("mine.py")]
        output = subprocess.check_output(command, cwd=self.folder, env=environment, text=True)
        self.assertEqual(output.count("leaf-0:host-0"), 9)
        self.assertRegex(output, r"\nlast_fct = \d\S* s\n")
        ended = subprocess.run(
            [*command, "--senders=48"], cwd=self.folder, env=environment, capture_output=True, text=True
        )
        self.assertEqual(ended.returncode, 2)
        self.assertIn("expected --senders from 1 to 47, found 48", ended.stderr)
        self.assertGreater((self.folder / "flows.png").stat().st_size, 1000)
