# SPDX-License-Identifier: GPL-2.0-only
"""Tests of `import aidc`, which loads no compiled library; neither ns-3 nor cppyy is needed."""

import ast
import os
import re
import shutil
import subprocess
import sys

from folder_test import SOURCE, FolderTest

HEAVY = "{'cppyy', 'ns3', 'numpy', 'pandas', 'aidc.namespace'}"
LIGHT = f"""\
import sys
import aidc
print(sorted({HEAVY} & set(sys.modules)))
print("ns" in dir(aidc), "ns" in vars(aidc))
try:
    aidc.nothing
except AttributeError as error:
    print(error)
"""

# What stands for the compiled module, which is loaded once
STAND_IN = """\
import sys, types
class Namespace(types.ModuleType):
    @property
    def ns(self):
        print("loaded, bindings:", "ns" in sys.modules)
        return "both"
sys.modules["aidc.namespace"] = Namespace("aidc.namespace")
"""

# What stands for the command of an installed package
INSTALLED = """\
import sys
word = sys.argv[2]
if word == "wrong":
    print("[1/2] step\\naidc: refused", file=sys.stderr)
    sys.exit(2)
if word == "fails":
    print("a note\\n[1/2] step\\naidc: failed\\nfor this reason", file=sys.stderr)
    sys.exit(1)
if word == "silent":
    sys.exit(3)
print("a line")
print(f"{sys.argv[1:]}.html")
"""

CALLS = """\
import aidc
print(aidc.report("there"))
for word in "wrong", "fails", "silent":
    try:
        aidc.report(word)
    except (ValueError, RuntimeError) as error:
        print(type(error).__name__, str(error).replace("\\n", "\\\\n"))
"""


class Import(FolderTest):
    """Scripts, each in a process of its own, with a package ns that stands for ns-3's bindings."""

    def setUp(self):
        super().setUp()
        (self.folder / "ns").mkdir()
        (self.folder / "ns" / "__init__.py").write_text("ns = 'bindings'\n")

    def run_script(self, code, **environment):
        """Runs a script and returns how it ended."""
        path = os.pathsep.join([str(SOURCE / "bindings"), str(self.folder)])
        return subprocess.run(
            [sys.executable, "-B", "-c", code],
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": path, **environment},
            capture_output=True,
            text=True,
        )

    def check(self, code, *expected):
        """A script has ended well and printed these lines."""
        ended = self.run_script(code)
        self.assertEqual((ended.returncode, ended.stdout.splitlines()), (0, [*expected]), ended.stderr)

    def test_nothing_is_loaded(self):
        missing = "module 'aidc' has no attribute 'nothing'"
        self.check(LIGHT, "[]", "True False", missing)

    def test_ns_is_loaded_once_when_it_is_used(self):
        code = STAND_IN + "import aidc\nprint('imported')\nprint(aidc.ns)\nfrom aidc import ns\nprint(ns)"
        self.check(code, "imported", "loaded, bindings: False", "both", "both")

    def test_after_the_bindings_of_ns3(self):
        code = STAND_IN + "from ns import ns\nimport aidc\nprint(ns, vars(aidc)['ns'])"
        self.check(code, "loaded, bindings: True", "bindings both")

    def test_before_the_bindings_of_ns3(self):
        code = STAND_IN + "import aidc\nfrom ns import ns\nprint(ns, vars(aidc)['ns'])"
        self.check(code, "loaded, bindings: True", "bindings both")

    def test_without_the_bindings_of_ns3(self):
        (self.folder / "ns" / "__init__.py").unlink()
        (self.folder / "ns").rmdir()
        ended = self.run_script("import aidc\nimport ns")
        self.assertEqual(ended.returncode, 1)
        self.assertIn("ModuleNotFoundError: No module named 'ns'", ended.stderr)

    def test_without_a_build(self):
        (self.folder / "cppyy.py").write_text("")
        ended = self.run_script("import aidc\nprint('light')\naidc.ns", AIDC_BUILD_DIR="/nowhere")
        self.assertEqual((ended.returncode, ended.stdout), (1, "light\n"))
        self.assertIn("ImportError: aidc: found no built library; looked in /nowhere", ended.stderr)

    def test_version(self):
        text = (SOURCE / "CITATION.cff").read_text()
        number = re.search('^version: "(.+)"', text, re.M)[1]
        self.check("import aidc\nprint(aidc.__version__)", number)

    def test_one_line_in_a_notebook(self):
        # Each line begins where the one before began, and the last information stays.
        code = (
            "import io, sys\nsys.modules['ipykernel'] = sys\nsys.stderr = io.StringIO(newline='')\n"
            "from aidc.runs import _Told\ntold = _Told(True)\nfor line in ('[1/3] Building', '      done in 3.0 s', 'a note',\n"
            "             '[1/1] seed=1: 2 s', 'Results are in x'):\n    told.add(line)\ntold.end()\n"
            "print(ascii(sys.stderr.getvalue()))"
        )
        told = ast.literal_eval(self.run_script(code).stdout)
        self.assertEqual(told.count("\n"), 1)
        self.assertTrue(told.endswith("Results are in x\n"), told)
        self.assertGreaterEqual(told.count("\r"), 5)

    def test_the_first_import_of_cppyy_is_told(self):
        (self.folder / "cppyy").mkdir()
        (self.folder / "cppyy" / "__init__.py").write_text("")
        code = "import aidc\ntry:\n    aidc.ns\nexcept ImportError:\n    pass"
        told = "aidc: cppyy compiles its headers, once, which takes minutes\n"
        self.assertEqual(self.run_script(code, AIDC_BUILD_DIR="/nowhere").stderr, told)
        (self.folder / "cppyy" / "allDict.cxx.pch.3.1.2").touch()
        self.assertEqual(self.run_script(code, AIDC_BUILD_DIR="/nowhere").stderr, "")

    def test_an_installed_package_calls_its_own_command(self):
        shutil.copytree(SOURCE / "bindings" / "aidc", self.folder / "aidc")
        tools = self.folder / "aidc" / "_tools"
        tools.mkdir()
        (tools / "__init__.py").write_text("")
        (tools / "commands.py").write_text(INSTALLED)
        ended = self.run_script(CALLS, PYTHONPATH=str(self.folder))
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertEqual(
            ended.stdout.splitlines(),
            ["['report', 'there'].html", "ValueError refused", r"RuntimeError failed\nfor this reason",
             "RuntimeError aidc ended without a message"],
        )
