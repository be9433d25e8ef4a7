"""The host VM: interprets host programs at stream and hal level on a simulated machine.

One module for each dialect registers implementations with xDSL's interpreter; what they share,
the machine and what values stand for, is in `state` and `values`.
"""
