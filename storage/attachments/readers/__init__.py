"""One module for each format that can be attached; `registry` says which reads what."""
