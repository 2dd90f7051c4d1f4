"""The built-in assistant: saved replies and what the ticket says, no language model."""
