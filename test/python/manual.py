# SPDX-License-Identifier: GPL-2.0-only
"""The code blocks of the manual and of README.md, which tests compile and run.

A comment before a block says what the block needs and what readers do not see:

* ``given``, with indented code: comes before the block, in the same function;
* ``declared``, with indented code: comes before that function;
* ``goes on``: the block continues the one before it;
* ``in a tree``: the commands are for an ns-3 tree (.ci/in-tree runs them);
* ``shortened: OPTION...``: the block's experiments are run with these options, in place of options of
  the same names, so that they take seconds; ``given`` has commands that come before;
* ``shown only: REASON``: the block is not run;
* ``save as NAME``: a reader saves the file that is shown next.

In Markdown the comments are of HTML. ``python3 test/python/manual.py FILE...`` writes all C++ blocks as
programs to the files, a part to each; ``python3 test/python/manual.py --in-a-tree CHAPTER`` prints the
commands that a chapter has for a tree.
"""

from __future__ import annotations

import re
import sys
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]

HEAD = """\
// Made by test/python/manual.py of the manual's code blocks.
#include "ns3/aidc-module.h"
#include "ns3/applications-module.h"
#include "ns3/core-module.h"
#include "ns3/experiment-base.h"
#include "ns3/experiment-results.h"
#include "ns3/experiment-switch-options.h"
#include "ns3/experiment-transport.h"
#include "ns3/internet-module.h"
#include "ns3/network-module.h"
#include "ns3/point-to-point-module.h"
#include "ns3/traffic-control-module.h"

#include <functional>
#include <map>
#include <string>

using namespace ns3;
using namespace ns3::aidc;

using Samples = std::map<std::string, std::function<void(int, char**)>>;
Samples& GetSamples();
"""

MAIN = """
Samples&
GetSamples()
{
    static Samples samples;
    return samples;
}

int
main(int argc, char* argv[])
{
    GetSamples().at(argc > 1 ? argv[1] : "")(argc - 1, argv + 1);
    Simulator::Destroy();
}
"""

STOP = "Simulator::Stop(MilliSeconds(5)); Simulator::Run();"
"""What follows a sample: all of them have to get through the first milliseconds."""


@dataclass
class Sample:
    """A code block, with what continues it."""

    path: Path
    line: int
    language: str
    code: str
    given: str = ""
    declared: str = ""
    reason: str = ""
    shortened: str = ""
    in_tree: bool = False
    saved: dict[str, str] = field(default_factory=dict)
    """Files that a reader saves before the block."""

    @property
    def name(self) -> str:
        """The chapter and the line."""
        return f"{self.path.stem}-{self.line}"


def chapters() -> list[Path]:
    """The files whose blocks are tested."""
    return [*sorted((SOURCE / "doc").glob("*.rst")), SOURCE / "README.md"]


def indented(lines: Sequence[str], begin: int, margin: int) -> tuple[str, int]:
    """The text that is indented more than a margin, and the line after it."""
    end = begin
    while end < len(lines) and (not lines[end].strip() or indent(lines[end]) > margin):
        end += 1
    text = textwrap.dedent("\n".join(lines[begin:end]))
    return text.strip("\n") + "\n", end


def indent(line: str) -> int:
    """The blanks that a line begins with."""
    return len(line) - len(line.lstrip())


def blocks(path: Path) -> Iterator[tuple[str, str, int, str]]:
    """The comments and code blocks of a chapter: kind, argument, line of the text, text."""
    if path.suffix == ".md":
        pattern = r"<!-- (?P<comment>[^\n]*?)(?:\n(?P<body>.*?))? *-->|```(?P<code>\w*)\n(?P<text>.*?)```"
        text = path.read_text(encoding="utf-8")
        for match in re.finditer(pattern, text, re.S):
            line = text.count("\n", 0, match.start("text")) + 1 if match["text"] else 0
            if match["comment"] is not None:
                yield "comment", match["comment"].strip(), 0, match["body"] or ""
            else:
                yield "code", match["code"], line, match["text"]
        return
    lines = path.read_text(encoding="utf-8").split("\n")
    number = 0
    while number < len(lines):
        line = lines[number]
        number += 1
        if match := re.match(r"\s*\.\. (?:code-block|sourcecode):: *(\w*)", line):
            while lines[number].strip().startswith(":") or not lines[number].strip():
                number += 1
            first = number + 1
            text, number = indented(lines, number, indent(line))
            yield "code", match[1], first, text
        elif match := re.match(r"\.\. literalinclude:: (\S+)", line):
            yield "include", match[1], 0, ""
        elif line.rstrip().endswith("::") and not line.lstrip().startswith(".. "):
            yield "code", "", number + 1, ""
        elif match := re.match(r"\s*\.\. (?!\w[\w-]*::)(?![\[_|])(.*)", line):
            text, number = indented(lines, number, indent(line))
            yield "comment", match[1].strip(), 0, text


def samples(path: Path) -> list[Sample]:
    """The code blocks of a chapter."""
    found: list[Sample] = []
    marks: dict[str, str] = {}
    saved: dict[str, str] = {}
    for kind, argument, line, text in blocks(path):
        if kind == "comment":
            name = re.match(r"(given|declared|goes on|in a tree|shortened|shown only|save as)\b:? *(.*)", argument)
            if name:
                marks[name[1]] = text if name[1] in ("given", "declared") else name[2] or "yes"
        elif kind == "include":
            if "save as" in marks:
                saved[marks.pop("save as")] = (path.parent / argument).read_text(encoding="utf-8")
        elif "goes on" in marks:
            marked = f'#line {line} "{path.name}"\n' if argument == "cpp" else ""
            found[-1].code += marked + text
            marks = {}
        else:
            found.append(
                Sample(
                    path, line, argument, text, marks.get("given", ""), marks.get("declared", ""),
                    marks.get("shown only", ""), marks.get("shortened", ""), "in a tree" in marks,
                    saved,
                )
            )
            marks, saved = {}, {}
    return found


def all_samples(language: str) -> list[Sample]:
    """All code blocks in a language."""
    return [
        sample for path in chapters() for sample in samples(path) if sample.language == language
    ]


def cpp_function(sample: Sample) -> str:
    """A C++ block as a function of the program of all of them."""
    place = f'#line {sample.line} "{sample.path}"\n'
    name = re.sub(r"\W", "_", sample.name)
    call = ""
    if re.search(r"^(int )?main\(", sample.code, re.M):
        declared = f"{sample.declared}#define main Main\n{place}{sample.code}#undef main\n"
        body = f"{sample.given}Main(argc, argv);\n"
    else:
        declared = sample.declared
        body = f"{sample.given}{place}{sample.code}{STOP}\n"
    return (
        f"\nnamespace {name}\n{{\n{declared}\nvoid\nRun(int argc, char** argv)\n{{\n{body}}}\n\n"
        f'const bool isKnown = GetSamples().emplace("{sample.name}", Run).second;\n}}\n{call}'
    )


def write_programs(paths: Sequence[Path]) -> None:
    """Writes all C++ blocks that are run, a part of them to each file."""
    functions = [cpp_function(sample) for sample in all_samples("cpp") if not sample.reason]
    for i, path in enumerate(paths):
        text = HEAD + "".join(functions[i :: len(paths)]) + (MAIN if i == 0 else "")
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def shorten(command: str, options: str) -> str:
    """A command with options in place of its options of the same names, and without its comment."""
    command = command.partition(" #")[0].rstrip()
    for option in options.split():
        name = option.partition("=")[0]
        command = re.sub(rf" {name}(?:=\S+| \d+|(?= )|$)", "", command) + f" {option}"
    return command


def commands(sample: Sample) -> list[tuple[str, list[str]]]:
    """The commands of a block, each with the lines that it is to print."""
    found: list[tuple[str, list[str]]] = [(line, []) for line in sample.given.splitlines()]
    for line in sample.code.splitlines():
        if sample.language == "bash" or line.startswith("$ "):
            command = line if sample.language == "bash" else line[2:]
            found.append((shorten(command, sample.shortened) if sample.shortened else command, []))
        elif line.strip():
            found[-1][1].append(line)
    return found


if __name__ == "__main__":
    if sys.argv[1] == "--in-a-tree":
        for one in samples(SOURCE / sys.argv[2]):
            if one.in_tree:
                print("\n".join(command for command, _ in commands(one)))
    else:
        write_programs([Path(argument) for argument in sys.argv[1:]])
