"""What a model may look up while it answers."""
