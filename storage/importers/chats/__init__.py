"""Importing chats that other programs held with a model.

`programs` lists the programs, each a module that reads its own shape, and `speakers` tells for all of them who wrote a
message; `linking` makes a forest of their nodes, and `branching` what the record takes in; `differing` tells how a chat
that comes again is another; `files` and `archives` find the chats in files of any size.

A chat becomes a branch below the root of the agent's conversation on a ticket, by default one made for it: closed,
since nobody waits for an answer, without a customer, and with an id ("C-" and eight characters) that comes from program
and chat. What the person wrote are the agent's messages, what the model answered the assistant's; what was hidden, and
the traffic with tools, hangs on the nearest shown message above as internal interactions.
"""
