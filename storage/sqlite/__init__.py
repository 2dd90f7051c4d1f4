"""The SQLite engine of the record: all of its SQL, its locks and its files; nothing above knows them."""
