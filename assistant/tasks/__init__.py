"""Tasks: files that say what the assistant is asked to do."""
