"""The app's own dark and light theme."""

from typing import Final

from textual.theme import Theme

DARK: Final = Theme(
    name="ticketree-dark",
    primary="#7aa2c8",
    secondary="#8fb996",
    accent="#d9a866",
    warning="#e0af68",
    error="#d9757b",
    success="#8fbf8f",
    foreground="#d5d8dc",
    background="#16191d",
    surface="#1b1f24",
    panel="#232830",
    dark=True,
    variables={
        "border": "#7aa2c8",
        "border-blurred": "#39414c",
        "block-cursor-background": "#31445a",
        "block-cursor-foreground": "#e6e9ec",
        "block-cursor-blurred-background": "#242a32",
        "block-cursor-blurred-foreground": "#d5d8dc",
        "scrollbar": "#39414c",
        "scrollbar-hover": "#4a5461",
        "scrollbar-active": "#7aa2c8",
        "scrollbar-background": "#16191d",
        "scrollbar-background-hover": "#16191d",
        "scrollbar-background-active": "#16191d",
    },
)
LIGHT: Final = Theme(
    name="ticketree-light",
    primary="#2f5f8f",
    secondary="#3f7a4f",
    accent="#9a5b12",
    warning="#9a6200",
    error="#b3343c",
    success="#2f7d3b",
    foreground="#23272c",
    background="#fbfaf8",
    surface="#f4f2ee",
    panel="#e8e5df",
    dark=False,
    variables={
        "border": "#2f5f8f",
        "border-blurred": "#c9c4ba",
        "block-cursor-background": "#c8d8e8",
        "block-cursor-foreground": "#16191d",
        "block-cursor-blurred-background": "#e8e5df",
        "block-cursor-blurred-foreground": "#23272c",
        "scrollbar": "#c9c4ba",
        "scrollbar-hover": "#b3ada1",
        "scrollbar-active": "#2f5f8f",
        "scrollbar-background": "#fbfaf8",
        "scrollbar-background-hover": "#fbfaf8",
        "scrollbar-background-active": "#fbfaf8",
    },
)
