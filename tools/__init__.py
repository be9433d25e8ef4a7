"""Command line tools: zc-opt, zc-run, zc-check."""
