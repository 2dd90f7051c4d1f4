"""`ticketree tasks`: what the assistant can be asked to do, and a team's own files for it."""
