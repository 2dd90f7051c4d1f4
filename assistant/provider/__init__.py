"""What answers, behind one protocol."""
