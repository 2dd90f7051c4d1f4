"""Files that an agent attaches to a conversation: read into text beside the app, and kept as what hangs on a node.

`attaching` takes a file in, `states` adds what becomes of it, `attachment` reads that back from a branch, `readers`
holds one module for each format, `conversion` runs a reader in a process of its own. The text, the name and the SHA-256
of the bytes are kept; the bytes themselves are not.
"""
