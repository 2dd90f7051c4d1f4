"""What calls cost."""
