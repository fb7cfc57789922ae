#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only

# What ./test.py of an ns-3 tree runs of the examples: the small variant of each experiment, which is
# a folder of examples/ with a program of its name, and the programs of examples/extend. A tuple is
# (program and arguments, whether to run it, whether to run it under valgrind).
#
# ns-3 reads the text of a list up to its first closing bracket, and evaluates it in the top folder of
# the tree, with the module os.
cpp_examples = [
    *(
        (f"aidc-{name} --small", "True", "False")
        for name in sorted(os.listdir("contrib/aidc/examples"))
        if name != "first" and os.path.exists(f"contrib/aidc/examples/{name}/{name}.cc")
    ),
    ("aidc-add-congestion-control", "True", "False"),
    ("aidc-add-queue-disc", "True", "False"),
    ("aidc-add-selector", "True", "False"),
    ("aidc-add-workload", "True", "False"),
]

# A tuple is (script and arguments, whether to run it). Scripts need the package of bindings/ on
# PYTHONPATH, which ./test.py does not set.
python_examples = []
