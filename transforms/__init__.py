"""Passes, one per file; analyses under `analysis/`. Imports dialects."""
