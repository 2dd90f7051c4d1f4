"""What a person sees: the full-screen app and the command line."""
