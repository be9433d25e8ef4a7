"""Dispatch bodies compiled to numpy, and the interface by which a queue runs them."""
