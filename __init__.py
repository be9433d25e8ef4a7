"""zcir: zero-copy transfers between devices that share memory, coherently or not."""
