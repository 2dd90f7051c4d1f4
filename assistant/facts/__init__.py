"""What stands in a text: numbers, amounts, dates and people."""
