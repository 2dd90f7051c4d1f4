"""Where the keys of the conversation lead: from one node of a page to another, None where there is no way."""

from storage.interactions import Node
from storage.kinds import ROOT
from tui.desk.page import Page


def parent(page: Page, node: Node) -> Node | None:
    """The node above; the root is never shown."""
    above = page.find(node.parent_id)
    return None if above is None or above.kind == ROOT.name else above


def child(page: Page, node: Node) -> Node | None:
    """The node below: on the shown path where that goes on, else the newest."""
    below = page.children(node.id)
    on_path = page.path_ids
    return next((each for each in below if each.id in on_path), below[-1] if below else None)


def last_fork(page: Page, node: Node) -> Node | None:
    """The nearest node above that has more than one child."""
    above = parent(page, node)
    while above is not None and len(page.children(above.id)) < 2:
        above = parent(page, above)
    return above


def branch_end(page: Page, node: Node) -> Node | None:
    """The leaf below, along `child`; None for a leaf."""
    end, below = None, child(page, node)
    while below is not None:
        end, below = below, child(page, below)
    return end


def first(page: Page) -> Node | None:
    """The topmost shown node."""
    return next((node for node in page.nodes if node.kind != ROOT.name), None)
