"""What can go wrong with the record; every message is a sentence that says what to do.

::

    StorageError
    ├── NotFoundError        no such ticket, node or conversation for this agent
    ├── RefusedError         a rule of the record forbids it
    │   ├── TurnRunningError an answer is still being written in this conversation
    │   └── ErasedError      the words of the ticket were erased, so it takes nothing new
    ├── QueryError           a search asks for nothing, for very much, or cannot be read
    ├── AttachmentError      a file cannot be attached, or there is no such attachment
    │   └── ReadingError     an attached file cannot be read
    ├── ExportError          what should be an export of a conversation is none, or is damaged
    ├── UnreadableError      the file is no Ticketree database, or is damaged
    │   ├── DamagedError     the file is a record, and is damaged
    │   └── NewerSchemaError the file was written by a newer Ticketree
    ├── UnwritableError      read-only, disk full, no permission
    │   └── ReplacedFileError the file was moved, deleted or replaced while in use
    └── LockedError          another process kept the database busy past the deadline
"""


class StorageError(Exception):
    """Something about the record failed; the message is meant for the agent."""


class NotFoundError(StorageError):
    """No such ticket, node or conversation for this agent."""


class RefusedError(StorageError):
    """A rule of the record forbids the operation."""


class TurnRunningError(RefusedError):
    """An answer is still being written in this conversation."""


class ErasedError(RefusedError):
    """The words of the ticket were erased, so that nothing can be added to it or to its conversations."""


class QueryError(StorageError):
    """A search asks for nothing, for very much, or is an expression that cannot be read."""


class AttachmentError(StorageError):
    """A file cannot be attached, or there is no such attachment here."""


class ReadingError(AttachmentError):
    """An attached file cannot be read; the message is a clause that says why, and what to do."""


class ExportError(StorageError):
    """What should be an export of a conversation is none, or is damaged, or does not fit the record."""


class UnreadableError(StorageError):
    """The file is not a Ticketree database, or it is damaged."""


class DamagedError(UnreadableError):
    """The file is a record, and is damaged so that it cannot be used."""


class NewerSchemaError(UnreadableError):
    """The file was written by a newer Ticketree."""


class UnwritableError(StorageError):
    """The database cannot be written: read-only, disk full, no permission."""


class ReplacedFileError(UnwritableError):
    """The database file was moved, deleted or replaced while in use; writing has stopped."""


class LockedError(StorageError):
    """Another process kept the database busy past the deadline."""
