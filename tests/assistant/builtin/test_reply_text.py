import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.builtin.reply_text import FACT_FIELDS, fill, problems


def test_a_part_is_left_out_unless_all_its_fields_are_known() -> None:
    text = "Sorry.[[ Your order {{order}} of {{date}} is late.]] We check."
    assert fill(text, {"order": "48213", "date": "3 May"}) == "Sorry. Your order 48213 of 3 May is late. We check."
    assert fill(text, {"order": "48213"}) == "Sorry. We check."


def test_a_part_with_an_alternative_reads_as_that_instead() -> None:
    assert fill("We stop [[order {{order}}|your order]] now.", {}) == "We stop your order now."
    assert fill("We stop [[order {{order}}|your order]] now.", {"order": "7"}) == "We stop order 7 now."


def test_a_paragraph_that_is_emptied_leaves_no_gap() -> None:
    assert fill("One.\n\n[[Two {{order}}.]]\n\nThree.", {}) == "One.\n\nThree."


def test_marks_inside_a_value_are_not_read_again() -> None:
    assert fill("[[Hello {{customer}}]]", {"customer": "{{order}} [[x]]", "order": "1"}) == "Hello {{order}} [[x]]"


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("Hello\n{{customer}}", 1, "leave a hole"),
        ("[[never left out]]", 0, "needs a field"),
        ("[[a {{order}}|b {{date}}]]", 0, "cannot hold a field"),
        ("[[a {{order}} [[b]]", 0, "cannot hold another"),
        ("One\n\n[[a {{order}}", 2, "no partner"),
        ("[[a {{orders}}]]", 0, "no field that can be filled in"),
    ],
)
def test_what_could_leave_a_hole_is_a_problem_with_its_line(text: str, line: int, says: str) -> None:
    assert any(found == line and says in sentence for found, sentence in problems(text))


@given(st.text(alphabet="a {}[]|\n", max_size=60), st.dictionaries(st.sampled_from(sorted(FACT_FIELDS)), st.just("x")))
def test_a_text_without_problems_never_shows_a_hole(text: str, values: dict[str, str]) -> None:
    text = text.replace("{{}}", "{{order}}")
    if not list(problems(text)):
        filled = fill(text, values)
        assert "{{" not in filled
        assert "[[" not in filled
