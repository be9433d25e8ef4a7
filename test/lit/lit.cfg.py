"""lit: every `.mlir` file below this folder, judged by FileCheck."""

# lit defines `config` and `lit_config` before it executes this file.
# pyright: reportUndefinedVariable=false, reportUnknownMemberType=false
# ruff: noqa: F821

import os
import shutil
import sys

import lit.formats

HERE = os.path.dirname(os.path.abspath(__file__))
BIN = os.path.dirname(sys.executable)
PYTHON = sys.executable
OPT = "zc-opt --split-input-file"

config.name = "zcir"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir"]
config.excludes = ["Inputs"]
config.test_source_root = HERE
config.environment["PYTHONPATH"] = os.environ.get("PYTHONPATH", "")

# lit applies these in order, each once over the RUN line.
config.substitutions += [
    # Recurring lines. Custom form printed, read and printed again; the same through the generic
    # form; and the errors of every chunk, where at least one must fail.
    ("GENERIC_ROUNDTRIP", f"{OPT} %s --print-op-generic | {OPT} - | filecheck %s"),
    ("ROUNDTRIP", f"{OPT} %s | {OPT} - | filecheck %s"),
    ("INVALID", f"not {OPT} %s 2>&1 >/dev/null | filecheck %s"),
    # The tools of the very interpreter that runs lit, so that no other installation is met.
    *(
        (rf"(?<![-/\w])zc-{tool}(?= )", f"{PYTHON} -m zcir.tools.zc_{tool}")
        for tool in ("opt", "run", "check")
    ),
    (r"(?<![-/\w])filecheck(?= )", os.path.join(BIN, "filecheck")),
    (r"(?<![-/\w])not(?= )", f"{PYTHON} {os.path.join(HERE, 'not.py')}"),
]

if (iree_opt := shutil.which("iree-opt", path=BIN)) is not None:
    config.available_features.add("iree")
    config.substitutions.append((r"\biree-opt\b", iree_opt))
