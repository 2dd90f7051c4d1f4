"""What the desk knows and does, apart from how it is drawn: one open conversation, its draft, its running answers."""
