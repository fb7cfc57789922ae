# Copyright (c) 2026 The aidc authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""A mechanism of the experiment two-sites that is switched off changes what the experiment says."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

PROGRAM = Path(os.environ.get("AIDC_BUILD_DIR", "."), "bin", "aidc-two-sites")


def findings(scheme: str, *options: str) -> dict[str, dict[str, object]]:
    """What the small variant says of a scheme, by metric."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "out")
        subprocess.run(
            [
                PROGRAM,
                "--small",
                "--runs=4",
                f"--schemes=baseline,{scheme}",
                *options,
                "--no-figures",
                f"--out={out}",
            ],
            check=True,
            capture_output=True,
            text=True,
        )
        summary = json.loads((out / "summary.json").read_text())
    return {finding["metric"]: finding for finding in summary["findings"]}


@unittest.skipUnless(PROGRAM.exists(), "AIDC_BUILD_DIR names no build of the experiment")
class Verdicts(unittest.TestCase):
    """The verdict on what a mechanism is for, with the mechanism and with it switched off."""

    def check(self, scheme: str, metric: str, verdict: str, *off: str) -> None:
        """The scheme has a verdict, and none with options that switch it off."""
        usual = findings(scheme)[metric]
        switched_off = findings(scheme, *off)[metric]
        self.assertEqual(usual["verdict"], verdict, usual["sentence"])
        self.assertEqual(switched_off["verdict"], "inconclusive", switched_off["sentence"])
        self.assertNotEqual(usual["sentence"], switched_off["sentence"])

    def test_fare_without_bandwidths(self):
        self.check(
            "fare",
            "degraded_misfit",
            "better",
            "--ns3::aidc::BgpSpeaker::UsePathBandwidth=false",
        )

    def test_flow_sets_that_do_not_move(self):
        # They unburden the degraded link, so that bursts overflow the WAN, and the step is later.
        self.check(
            "flow-set",
            "step_time",
            "worse",
            "--ns3::aidc::FlowSetConfiguration::Strategy=NoSwitch",
        )

    def test_coupled_ecn_with_a_static_threshold(self):
        # The small variant has few busy queues, for which coupling makes no difference.
        off = findings("coupled-ecn", "--ns3::aidc::CoupledEcnQueueDisc::Mode=StaticRed")
        for metric, usual in findings("coupled-ecn").items():
            with self.subTest(metric):
                self.assertNotEqual(usual["sentence"], off[metric]["sentence"])
                self.assertEqual(off[metric]["verdict"], "inconclusive")
                self.assertEqual(off[metric]["difference"], 0)

    def test_csig_in_switches_that_pass_tags_through(self):
        # Nobody names a port then: a sender can only guess, as in the baseline.
        self.check(
            "csig", "waiting_port_named", "better", "--ns3::aidc::CsigPort::Support=PassThrough"
        )

    def test_pre_ecn_with_one_threshold_and_no_reaction(self):
        self.check(
            "pre-ecn",
            "reaction_time",
            "better",
            "--ns3::aidc::PreEcnQueueDisc::T2=1000001B",
            "--ns3::aidc::PreEcnQueueDisc::Maximum=1000002B",
            "--ns3::aidc::PreEcnQueueDisc::AverageWeight=1",
            "--ns3::aidc::IngressEdgeController::LightReaction=None",
        )


if __name__ == "__main__":
    unittest.main()
