"""The schema of the record: tables, guards and indexes, and the versions that brought them."""
