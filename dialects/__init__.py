"""IR: ops, attributes, types, verifiers and topology queries. Imports xDSL only."""
