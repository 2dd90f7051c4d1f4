"""Importing tickets (mails, mailboxes and folders of them, JSON, JSONL and CSV) and chats (see `chats`).

`importing` reads and saves, `report` says what it did; a new format is a line in `registry`.

A ticket of JSON or CSV has the id that it names. A mail belongs to the ticket that holds a mail of its thread, else to
the one that its subject names in brackets ("[T-80005]", "[#80005]") where the same people take part in it, else to a
new one, whose id ("M-" and eight characters) comes from the thread's first Message-ID.
"""
