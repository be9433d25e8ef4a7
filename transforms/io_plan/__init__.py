"""Parts of the passes that plan a model's inputs and outputs."""
