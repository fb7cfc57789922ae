# SPDX-License-Identifier: GPL-2.0-only
"""Tests of tools/type_hints.py: of a header of its own, and of all by mypy."""

import ast
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from folder_test import SOURCE
from tools import cpp_api, type_hints

PYTHON = os.environ.get("AIDC_PYTHON")
BUILD = os.environ.get("AIDC_BUILD_DIR")
ATTRIBUTES = os.environ.get("AIDC_PRINT_ATTRIBUTES")
HAS_DOXYGEN = shutil.which("doxygen") is not None
HAS_MYPY = PYTHON and subprocess.run([PYTHON, "-c", "import mypy"], stderr=-3).returncode == 0
HEADER = """\
#define MAKE_VALUE(name) class name##Value : public AttributeValue { public: name##Value(); }
namespace ns3 {
class AttributeValue {};
/// A length of time.
class Time
{
  public:
    Time(const std::string& text);
    explicit Time(double seconds);
    bool operator<(const Time& other) const;
};
Time operator+(const Time& a, const Time& b);
Time Seconds(double value);
template <typename T> Ptr<T> Create();
MAKE_VALUE(Boolean);
namespace aidc {
class Base
{
  public:
    typedef std::vector<uint32_t> Numbers;
    /// How.
    enum Mode { FAST, None };
    enum class Color { RED };
};
/**
 * @brief A queue.
 *
 * It is "first" in,
 * first out.
 */
class Queue : public Base
{
  public:
    using Reader = std::function<void(int)>;
    Queue(const Queue&) = delete;
    /**
     * @brief Set it.
     * @param mode the mode
     * @return whether it has changed
     */
    bool Set(Mode mode, Time limit = Time("1s"));
    bool Set(const char* text, uint8_t* = nullptr);
    static Ptr<Queue> Get(const std::map<std::string, Ptr<Base>>& from);
    Numbers GetNumbers() const;
    void Connect(Reader reader, Color color);
    unsigned long long bytes{0}; //!< in it
    static constexpr double LIMIT = 1;
  private:
    void Hidden();
};
} // namespace aidc
} // namespace ns3
"""

EXPECTED = {
    ("Time", "__init__"): ["(self, text: str) -> None", "(self, seconds: float) -> None"],
    ("Time", "__lt__"): ["(self, other: _ns.Time | str) -> bool"],
    ("Time", "__add__"): ["(self, other: Any) -> Any"],
    ("", "Seconds"): ["(value: float) -> _ns.Time"],
    ("aidc.Queue", "Set"): [
        "(self, mode: _ns.aidc.Base.Mode | int, limit: _ns.Time | str = ...) -> bool",
        "(self, text: str, argument2: Any = ...) -> bool",
    ],
    ("aidc.Queue", "Get"): ["(argument1: Mapping[str, _ns.aidc.Base]) -> _ns.aidc.Queue"],
    ("aidc.Queue", "GetNumbers"): ["(self) -> Sequence[int]"],
    ("aidc.Queue", "Connect"): ["(self, reader: Any, color: _ns.aidc.Base.Color | int) -> None"],
    ("aidc.Queue", "SetAttribute"): [
        "(self, name: Literal['Size', 'Old'], value: _ns.AttributeValue) -> None"
    ],
}

PRINTED = """\
type\tns3::aidc::Base\tns3::Object
attribute\tns3::aidc::Base\tns3::Object\tOld\tIts age.\tns3::TimeValue\t\t+1s
type\tns3::aidc::Queue\tns3::aidc::Base
attribute\tns3::aidc::Queue\tns3::aidc::Base\tSize\tIts size.\tns3::UintegerValue\tuint32_t\t7
trace\tns3::aidc::Queue\tns3::aidc::Base\tEnqueue\tA packet.\tvoid (*)()
"""

RIGHT = """\
import aidc
from aidc import ns

buffer = ns.CreateObject[ns.aidc.SharedBuffer]()
queue = ns.aidc.CoupledEcnQueueDisc()
queue.SetAttribute("Mode", ns.StringValue("Coupled"))
queue.SetAttribute("Quota", ns.UintegerValue(64))  # of a base class in ns-3
later: ns.Time = ns.MicroSeconds(3)
number: int = ns.aidc.MakeLeafSpine(ns.aidc.LeafSpineSettings()).GetHosts()[0]
monitor = ns.FlowMonitorHelper()
frame = aidc.run("incast", degree=[2, 4], seeds=3)
frame["mean"].max()
"""

WRONG = {
    "ns.NodeContainr()": "NodeContainr",
    "ns.aidc.FabricHelpr()": "FabricHelpr",
    "ns.aidc.FabricHelper().Bild()": "Bild",
    "ns.aidc.LeafSpineSettings().leafs = 3": "leafs",
    "ns.aidc.CollectiveKind.ALL_REDUSE": "ALL_REDUSE",
    "ns.aidc.CoupledEcnQueueDisc().SetAttribute('Mood', ns.StringValue(''))": "SetAttribute",
    "ns.Simulator.Stop('soon', 3)": "Stop",
    "aidc.rum('incast')": "rum",
    "aidc.run(3)": "run",
    "aidc.run('incast', seeds='x')": "run",
}


@unittest.skipUnless(HAS_DOXYGEN, "there is no doxygen")
class OneHeader(unittest.TestCase):
    """What becomes of what a header declares."""

    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            header = Path(folder, "header.h")
            header.write_text(HEADER)
            scopes = cpp_api.read([header], [], Path(folder))
        classes = type_hints.registered(PRINTED.splitlines(keepends=True))
        cls.tree = ast.parse(type_hints.TypeHints(scopes, classes, ["Later", "Time"]).text())

    def find(self, path):
        """The class or the module of a path."""
        found = self.tree
        for name in filter(None, path.split(".")):
            found = next(
                n for n in found.body if isinstance(n, ast.ClassDef) and n.name == name
            )
        return found

    def test_functions(self):
        for (path, name), expected in EXPECTED.items():
            functions = [
                node for node in self.find(path).body
                if isinstance(node, ast.FunctionDef) and node.name == name
            ]
            found = [f"({ast.unparse(f.args)}) -> {ast.unparse(f.returns)}" for f in functions]
            self.assertEqual([re.sub(r" ?= ?\.\.\.", " = ...", f) for f in found], expected, name)
            decorators = {ast.unparse(d) for f in functions for d in f.decorator_list}
            self.assertEqual("overload" in decorators, len(expected) > 1, name)
            self.assertEqual("staticmethod" in decorators, name == "Get", name)

    def test_classes_and_variables(self):
        queue = self.find("aidc.Queue")
        self.assertEqual([ast.unparse(base) for base in queue.bases], ["_ns.aidc.Base"])
        variables = [ast.unparse(n) for n in queue.body if isinstance(n, ast.AnnAssign)]
        self.assertEqual(variables, ["bytes: int", "LIMIT: ClassVar[float]", "Reader: Any"])
        names = [getattr(node, "name", "") for node in queue.body]
        self.assertNotIn("Hidden", names)
        self.assertNotIn("__init__", names)
        self.assertIn("class BooleanValue(_ns.AttributeValue):", ast.unparse(self.tree))
        texts = [ast.unparse(node) for node in self.tree.body]
        self.assertIn("Create: Any", texts)
        self.assertIn("Later: Any", texts)
        self.assertNotIn("Time: Any", texts)

    def test_enums(self):
        base = self.find("aidc.Base")
        lines = [ast.unparse(node) for node in base.body if isinstance(node, ast.AnnAssign)]
        # None is a word of Python, and RED is a name of Color alone
        self.assertEqual(lines, ["FAST: ClassVar[_ns.aidc.Base.Mode]", "Numbers: Any"])
        color = self.find("aidc.Base.Color")
        self.assertIn("RED: ClassVar[_ns.aidc.Base.Color]", ast.unparse(color))

    def test_docstrings(self):
        text = ast.get_docstring(self.find("aidc.Queue"))
        self.assertIn('A queue.\n\nIt is "first" in, first out.', text)
        self.assertIn("Attributes:\n* Size (ns3::UintegerValue, 7): Its size.\n* Old (", text)
        self.assertIn("Old (ns3::TimeValue, +1s): Its age.", text)
        self.assertIn("Trace sources:\n* Enqueue (void (*)()): A packet.", text)
        setter = next(n for n in self.find("aidc.Queue").body if getattr(n, "name", "") == "Set")
        expected = "Set it.\n\nmode: the mode\nReturns: whether it has changed"
        self.assertEqual(ast.get_docstring(setter), expected)


@unittest.skipUnless(HAS_DOXYGEN, "there is no doxygen")
@unittest.skipUnless(HAS_MYPY, "AIDC_PYTHON names no Python with mypy")
@unittest.skipUnless(BUILD and ATTRIBUTES, "there is no build with its program of attributes")
class AllHeaders(unittest.TestCase):
    """What mypy says of scripts, with the type hints of this build."""

    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.folder = Path(temporary.name)
        shutil.copytree(SOURCE / "bindings" / "aidc", cls.folder / "aidc")
        code = "import importlib.util as u; print(u.find_spec('ns3').submodule_search_locations[0])"
        ns3 = subprocess.check_output([PYTHON, "-c", code], text=True).strip()
        command = [sys.executable, "-B", "-m", "tools.type_hints", "--ns3", f"{ns3}/include"]
        command += ["--aidc", f"{BUILD}/include", "--attributes", ATTRIBUTES]
        subprocess.run([*command, cls.folder / "aidc" / "ns.pyi"], cwd=SOURCE, check=True)

    def mypy(self, *files):
        """What mypy says of files."""
        command = [PYTHON, "-m", "mypy", "--check-untyped-defs", "--ignore-missing-imports"]
        ended = subprocess.run(
            [*command, "--cache-dir", self.folder / "cache", *files],
            cwd=self.folder,
            env={**os.environ, "MYPYPATH": str(self.folder)},
            capture_output=True,
            text=True,
        )
        self.assertIn(ended.returncode, (0, 1), ended.stderr)
        return ended.stdout

    def test_examples_and_the_package_are_accepted(self):
        checked = sorted((self.folder / "aidc").glob("*.py"))
        for path in sorted((SOURCE / "examples").glob("*/*.py")):
            if not path.name.startswith("test_"):
                checked.append(self.folder / f"{path.parent.name}-{path.name}")  # names are modules
                shutil.copy(path, checked[-1])
        self.assertRegex(self.mypy(*checked), r"\ASuccess: .*\n\Z")

    def test_what_is_right_is_accepted(self):
        path = self.folder / "right.py"
        path.write_text(RIGHT)
        self.assertRegex(self.mypy(path), r"\ASuccess: .*\n\Z")

    def test_wrong_names_and_types_are_refused(self):
        path = self.folder / "wrong.py"
        path.write_text("import aidc\nfrom aidc import ns\n" + "\n".join(WRONG) + "\n")
        found = re.findall(r"wrong\.py:(\d+): error: (.*)", self.mypy(path))
        self.assertEqual({int(line) for line, _ in found}, set(range(3, 3 + len(WRONG))))
        for place, name in enumerate(WRONG.values(), 3):
            text = " ".join(text for line, text in found if int(line) == place)
            self.assertIn(f'"{name}"', text)
