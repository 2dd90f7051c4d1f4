"""The record: tickets, conversations and everything ever shown, kept in a database that only grows."""
