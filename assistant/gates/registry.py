"""Every business rule, by name; a new one is its module and a line here."""

from collections.abc import Mapping
from typing import Final

from assistant.gates.rule import Rule
from assistant.gates.rules import (
    amounts,
    dates,
    emails,
    greeting,
    ibans,
    language,
    length,
    numbers,
    phones,
    placeholders,
    promises,
    system_message,
    team,
    urls,
)
from assistant.tasks.task import RuleChoice

RULES: Final[Mapping[str, Rule]] = {
    rule.name: rule
    for rule in (
        numbers.RULE,
        amounts.RULE,
        dates.RULE,
        emails.RULE,
        phones.RULE,
        ibans.RULE,
        urls.RULE,
        greeting.RULE,
        language.RULE,
        promises.RULE,
        placeholders.RULE,
        system_message.RULE,
        team.RULE,
        length.RULE,
    )
}
"""In the order in which they are decided and shown."""

FOR_REPLIES: Final = tuple(RuleChoice(name) for name in RULES if name != team.RULE.name)
"""What a reply to a customer is held against where its task names no rules."""
