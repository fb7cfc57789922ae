# SPDX-License-Identifier: GPL-2.0-only
"""A mechanism of the experiment two-sites that is switched off changes what the experiment says."""

from __future__ import annotations

import functools
import json
import subprocess
import tempfile
import unittest
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import experiments_command

PROGRAM = experiments_command.program("two-sites")


SCHEMES = ("coupled-ecn", "flow-set", "fare", "pre-ecn", "csig")


def summary(schemes: Sequence[str], *options: str) -> dict[str, Any]:
    """The summary of the small variant with the baseline and schemes."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "out")
        subprocess.run(
            experiments_command.command(
                PROGRAM,
                "--small",
                "--runs=4",
                f"--schemes={','.join(('baseline', *schemes))}",
                *options,
                "--no-figures",
                f"--out={out}",
            ),
            check=True,
            capture_output=True,
            text=True,
        )
        return json.loads((out / "summary.json").read_text())


@functools.cache
def usual_summary() -> dict[str, Any]:
    """The summary with all mechanisms as they are, which is made once."""
    return summary(SCHEMES)


def findings(of: dict[str, Any], scheme: str) -> dict[str, dict[str, Any]]:
    """What a summary says of a scheme, by metric."""
    return {finding["metric"]: finding for finding in of["findings"] if finding["scheme"] == scheme}


@unittest.skipUnless(PROGRAM.exists(), "AIDC_BUILD_DIR names no build of the experiment")
class Verdicts(unittest.TestCase):
    """The verdict on what a mechanism is for, with the mechanism and with it switched off."""

    def check_off(self, scheme: str, usual: dict[str, dict[str, Any]], *off: str) -> None:
        """Without its mechanism, a scheme is the baseline; with it, its sentences are others."""
        for metric, found in findings(summary([scheme], *off), scheme).items():
            with self.subTest(metric):
                self.assertEqual(found["difference"], 0)
                self.assertEqual(found["verdict"], "inconclusive")
                self.assertNotEqual(found["sentence"], usual[metric]["sentence"])

    def test_fare_without_bandwidths(self):
        # The degraded link has half of the capacity. With equal shares, flows wait behind it.
        usual = findings(usual_summary(), "fare")
        self.assertEqual(usual["leaf_slowdown"]["verdict"], "better")
        self.check_off("fare", usual, "--ns3::aidc::BgpSpeaker::UsePathBandwidth=false")

    def test_flow_sets_that_do_not_move(self):
        # Flow sets have a hash of their own, so that without moves they are not the baseline. In
        # the small variant, few of them move, and no verdict is sure.
        off = "--ns3::aidc::FlowSetSelector::Strategy=NoSwitch"
        moves = [
            of["schemes"]["flow-set@step"]["migrations"]["runs"]
            for of in (usual_summary(), summary(["flow-set"], off))
        ]
        self.assertTrue(all(moves[0]), moves[0])
        self.assertEqual(moves[1], [0] * 4)

    def test_coupled_ecn_with_a_static_threshold(self):
        # The small variant has few busy queues, for which coupling makes no difference.
        self.check_off(
            "coupled-ecn",
            findings(usual_summary(), "coupled-ecn"),
            "--ns3::aidc::CoupledEcnQueueDisc::Mode=StaticRed",
        )

    def test_csig_in_switches_that_pass_tags_through(self):
        # Nobody names a port then: a sender can only guess, as in the baseline.
        usual = findings(usual_summary(), "csig")["waiting_port_named"]
        without = summary(["csig"], "--ns3::aidc::CsigPort::Support=PassThrough")
        off = findings(without, "csig")["waiting_port_named"]
        self.assertEqual(usual["verdict"], "better", usual["sentence"])
        self.assertEqual(off["verdict"], "inconclusive", off["sentence"])

    def test_pre_ecn_with_one_threshold_and_no_reaction(self):
        # A burst is larger than the memory of a core router. Ingress edges slow it down before the
        # memory is full; without their reaction, the WAN overflows as in the baseline, and the step
        # waits for what was dropped.
        usual = findings(usual_summary(), "pre-ecn")
        for metric in ("reaction_time", "wan_drops", "step_time"):
            self.assertEqual(usual[metric]["verdict"], "better", usual[metric]["sentence"])
        self.check_off(
            "pre-ecn",
            usual,
            "--ns3::aidc::PreEcnQueueDisc::T2=1000001B",
            "--ns3::aidc::PreEcnQueueDisc::Maximum=1000002B",
            "--ns3::aidc::PreEcnQueueDisc::AverageWeight=1",
            "--ns3::aidc::IngressEdgeController::LightReaction=None",
        )


if __name__ == "__main__":
    unittest.main()
