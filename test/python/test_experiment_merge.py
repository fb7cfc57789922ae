# SPDX-License-Identifier: GPL-2.0-only
"""Tests of how the files of runs become the files of one folder of results."""

from aidc.experiments.command import Merged
from aidc.experiments.program import Run

from folder_test import FolderTest

FLOWS = "run,source,destination,size_byte,start_s,fct_s,slowdown\n"


class Merging(FolderTest):
    """Files of runs, each in a folder of its own."""

    def add(self, merged, run, is_last, waits=None, **files):
        """Adds a run with some files, by their names without .csv."""
        own = self.folder / "runs" / f"{run.scenario}-{run.scheme}-{run.number}"
        own.mkdir(parents=True)
        for name, text in files.items():
            (own / f"{name.replace('_', '-')}.csv").write_text(text)
        merged.add(run, waits, own, is_last)
        self.assertFalse(own.exists())

    def flows(self, number, *rows):
        """A file of flows: of bytes and slowdown each."""
        return FLOWS + "".join(f"{number},3,5,{size},1e-06,2e-06,{slow}\n" for size, slow in rows)

    def files(self):
        """The content of all files, by name."""
        return {path.name: path.read_text() for path in self.folder.iterdir()}

    def test_slowdowns(self):
        """Bins of a decade, in ascending order, each with its lower end and without its upper one. The flows
        of 1000, 5000 and 9999 bytes are in one bin: slowdowns 1, 3, 2, hence median 2, mean 2, p99
        2 + 0.98 * 1 = 2.98 ((3 - 1) * 0.99 = 1.98). Flows of two runs are one sample; those that are not
        done are left out. The next scheme begins a new sample."""
        merged = Merged(self.folder, False)
        self.add(merged, Run("surge", "spray", 1), False, flows_surge_spray=self.flows(
            1, (1000, 1), (5000, 3), (999, 7), (4000, "nan"), (0, "nan")))
        self.add(merged, Run("surge", "spray", 2), True, flows_surge_spray=self.flows(
            2, (9999, 2), (10000, 5)))
        self.add(merged, Run("load-30", "spray", 1), True, **{
            "flows_load-30_spray": self.flows(1, (1, 1.5))})
        self.add(merged, Run("nothing", "spray", 1), True)
        merged.close()
        self.assertEqual(
            self.files(),
            {
                "slowdown.csv": "scenario,scheme,bin_low_byte,bin_high_byte,flows,slowdown_p50,"
                "slowdown_p99,slowdown_mean\n"
                "surge,spray,100,1000,1,7,7,7\n"
                "surge,spray,1000,10000,3,2,2.98,2\n"
                "surge,spray,10000,100000,1,5,5,5\n"
                "load-30,spray,1,10,1,1.5,1.5,1.5\n"
            },
        )

    def test_files_of_several_runs_have_one_header(self):
        merged = Merged(self.folder, True)
        for number in (1, 2):
            self.add(merged, Run("two", "b", number), number == 2, waits={"cause": f"{number}"},
                     flows_two_b=self.flows(number, (1000, number + 0.5)), all=f"run\n{number}\n",
                     **({"series_two_b": "x\n1\n"} if number == 1 else {}))
        merged.close()
        files = self.files()
        self.assertIn("two,b,1000,10000,2,2,", files.pop("slowdown.csv"))
        self.assertEqual(
            files,
            {
                "flows-two-b.csv": FLOWS + "1,3,5,1000,1e-06,2e-06,1.5\n2,3,5,1000,1e-06,2e-06,2.5\n",
                "all.csv": "run\n1\n2\n",
                "series-two-b.csv": "x\n1\n",
            },
        )
        self.assertEqual(merged.waits, {("two", "b", number): {"cause": f"{number}"} for number in (1, 2)})

    def test_flows_of_another_name_are_kept(self):
        merged = Merged(self.folder, False)
        self.add(merged, Run("one", "a", 1), True, flows_others=self.flows(1, (1000, 2)))
        merged.close()
        self.assertIn("flows-others.csv", self.files())
        self.assertEqual(len(self.files()["slowdown.csv"].splitlines()), 1)
