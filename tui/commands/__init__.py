"""What a person can ask the app for: one small class each, from which keys, help, palette and key bar derive."""
