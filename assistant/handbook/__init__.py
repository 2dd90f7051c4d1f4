"""The team's handbook: a folder of Markdown and text files, searched by full text and cited by file and heading."""
