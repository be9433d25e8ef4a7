"""Flow to stream, op by op: each module lowers one family of ops."""
