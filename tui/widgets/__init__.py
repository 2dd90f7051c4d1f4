"""The pieces of the screen: each gets values and posts messages; none knows the record."""
