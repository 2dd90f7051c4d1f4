"""One turn: from a plan that was shown to an answer in the record."""
