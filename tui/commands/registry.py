"""Every command of the app, in the order of the help; a new one is its class and a line here."""

from collections.abc import Mapping
from typing import Final

from tui.commands import acting, auditing, ending, filing, finding, moving, program, sending, tasks, tickets, usage
from tui.commands.command import Command

COMMANDS: Final[tuple[Command, ...]] = (
    moving.NextRow(),
    moving.PreviousRow(),
    moving.Open(),
    moving.ParentNode(),
    moving.ChildNode(),
    moving.NextSibling(),
    moving.PreviousSibling(),
    moving.LastFork(),
    moving.BranchEnd(),
    moving.FirstRow(),
    moving.LastRow(),
    moving.Fold(),
    moving.Back(),
    moving.Forward(),
    moving.PageUp(),
    moving.PageDown(),
    finding.Search(),
    finding.NextMatch(),
    finding.PreviousMatch(),
    acting.Write(),
    acting.DraftReply(),
    acting.FollowUp(),
    acting.AskAgain(),
    acting.Edit(),
    acting.StopEditing(),
    acting.StopAnswer(),
    acting.Label(),
    acting.ToggleNotes(),
    acting.CopyMessage(),
    acting.CopyPath(),
    tasks.CopyInternal(),
    acting.TakeIn(),
    filing.AttachFile(),
    auditing.ShowSent(),
    tasks.ChooseTask(),
    sending.KeepTicket(),
    sending.Summarise(),
    sending.RaiseBudget(),
    sending.LowerBudget(),
    sending.SendWithoutTicket(),
    sending.NextStrategy(),
    sending.MakeSummary(),
    sending.WiderWindow(),
    sending.NarrowerWindow(),
    sending.IncludeNotes(),
    tickets.NextTicket(),
    tickets.PreviousTicket(),
    tickets.GoToTickets(),
    tickets.GoToConversation(),
    tickets.GoToChat(),
    tickets.TogglePanel(),
    ending.CloseTicket(),
    ending.EraseTicket(),
    usage.ShowUsage(),
    program.Help(),
    program.Palette(),
    program.SwitchTheme(),
    program.Close(),
    program.Quit(),
)

BY_ID: Final[Mapping[str, Command]] = {command.id: command for command in COMMANDS}

BY_RANK: Final = tuple(sorted(COMMANDS, key=lambda command: -command.rank))
