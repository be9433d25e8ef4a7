"""Dialects of upstream MLIR, completed so that all that IREE prints is read and printed.

xDSL has them; where it lacks an op, or its syntax or types fall short of MLIR's, the op is
defined here and put in the place of xDSL's in our tools.
"""
