from app_driver import ANSWER, OTHER, TICKET, a_store, running_app, services, with_branches


async def test_a_ticket_opens_and_a_draft_is_asked_for_without_a_question() -> None:
    async with running_app(services(a_store())) as desk:
        assert "mon hamac n'est pas arrivé" in desk.seen
        await desk.press("f9")
        await desk.answered()
        assert desk.shown == [ANSWER]
