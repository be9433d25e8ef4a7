"""What zc-opt loads before it has read a line: no dialect of ours, and no pass."""

import subprocess
import sys

LOADED = """
import sys
import zcir.tools.zc_opt
print(*(name for name in sys.modules if name.startswith("zcir.")))
"""
LATER = ("flow", "hal", "stream", "util", "iree_tensor_ext", "iree_linalg_ext", "io_parameters")


def test_zc_opt_starts_without_dialects_and_passes() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOADED], capture_output=True, text=True, check=True, timeout=60
    )
    loaded = done.stdout.split()
    assert "zcir.tools.zc_opt" in loaded
    assert not {f"zcir.dialects.{name}" for name in LATER} & set(loaded)
    assert not [name for name in loaded if name.startswith("zcir.transforms.stream_")]
