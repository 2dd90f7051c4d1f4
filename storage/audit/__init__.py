"""Proving the record: pure checks over the rows that an engine yields, anchored heads, and proofs to hand out."""
