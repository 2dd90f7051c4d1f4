"""`ticketree audit`: proving the record."""
