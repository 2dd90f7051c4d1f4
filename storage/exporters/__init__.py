"""Taking conversations out: JSON to read back, Markdown to read, Mermaid to see the tree.

`registry` lists the formats, `export` says what goes out, `reading_back` brings a JSON export into a record again.
"""
