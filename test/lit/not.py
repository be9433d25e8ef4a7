"""`not [--code N] COMMAND…`: succeeds when the command fails with exit code N (default: 2)."""

import subprocess
import sys

arguments = sys.argv[1:]
expected = 2
if arguments[:1] == ["--code"]:
    expected = int(arguments[1])
    arguments = arguments[2:]
code = subprocess.run(arguments, check=False).returncode
if code != expected:
    print(f"expected exit code {expected}, got {code}", file=sys.stderr)
sys.exit(0 if code == expected else 1)
