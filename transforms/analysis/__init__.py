"""Analyses that passes share; they return plain data and change nothing."""
