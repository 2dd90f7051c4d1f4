"""What is sent: one pure function and what it is made of."""
