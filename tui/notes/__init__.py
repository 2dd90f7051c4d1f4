"""What stands below a message of the chat: the internal interactions that hang on its node, in one line each."""
