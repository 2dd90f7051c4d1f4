"""What is sent to a language model and what comes back: tokens, plan, tasks, providers, turns."""
