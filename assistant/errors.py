"""What can go wrong between a plan and an answer.

::

    AssistantError
    ├── PlanStoppedError    the plan's verdict forbids sending
    │   ├── StalePlanError  the conversation changed since the plan was shown
    │   └── NoSummaryError  no summary was made, so that nothing was sent
    ├── NoObserverError     no answer can be observed
    ├── TaskError           a task file cannot be used
    ├── RepliesError        a saved reply cannot be used
    ├── HandbookError       the handbook's folder cannot be read
    ├── PricesError         a file of prices cannot be used
    ├── VocabularyError     a token vocabulary of this installation is missing or damaged
    └── ProviderError       the model's server did not answer as it should
"""

from enum import StrEnum


class AssistantError(Exception):
    """The assistant cannot do what was asked; the message is meant for the agent."""


class PlanStoppedError(AssistantError):
    """The plan's verdict forbids sending; the message says which choices there are."""


class NoObserverError(AssistantError):
    """No answer can be observed, and the sentence says why."""


class StalePlanError(PlanStoppedError):
    """The conversation changed after the plan was shown, so what would be sent is not what was seen."""


class NoSummaryError(PlanStoppedError):
    """No summary was made: nothing was sent, and what the conversation holds is as it was.

    Attributes:
        failed: the provider failed; False where a rule forbade the summary.
    """

    def __init__(self, message: str, *, failed: bool = False) -> None:
        super().__init__(message)
        self.failed = failed


class TaskError(AssistantError):
    """A task file cannot be used."""


class RepliesError(AssistantError):
    """A saved reply cannot be used."""


class PricesError(AssistantError):
    """A file of prices cannot be used."""


class HandbookError(AssistantError):
    """The handbook's folder is not there or cannot be read."""


class VocabularyError(AssistantError):
    """A token vocabulary of this installation is missing or damaged."""


class Fault(StrEnum):
    """Kinds of provider failure, each with its own advice."""

    NO_KEY = "no_key"
    REFUSED = "connection_refused"
    NAME = "unknown_host"
    AUTH = "authentication"
    PERMISSION = "permission"
    MODEL = "model_not_found"
    CONTEXT = "context_length_exceeded"
    BAD_REQUEST = "bad_request"
    RATE = "rate_limited"
    SERVER = "server_error"
    TIMEOUT = "timeout"
    CUT = "stream_cut"
    MALFORMED = "malformed_answer"
    EMPTY = "empty_answer"
    FILTERED = "content_filtered"
    OTHER = "other"


class ProviderError(AssistantError):
    """The model's server did not answer as it should.

    Attributes:
        fault: what kind of failure.
        message: one sentence: what happened (may hold foreign text from the server).
        advice: one sentence: what to do.
        status_code: HTTP status, None when there was no answer.
        retry_after_s: how long the server asked us to wait, None when it did not say.
        window: the tokens that the model takes, where a request was too long and the server said so.
    """

    def __init__(
        self,
        fault: Fault,
        message: str,
        advice: str,
        *,
        status_code: int | None = None,
        retry_after_s: float | None = None,
        window: int | None = None,
    ) -> None:
        super().__init__(message)
        self.fault = fault
        self.message = message
        self.advice = advice
        self.status_code = status_code
        self.retry_after_s = retry_after_s
        self.window = window
