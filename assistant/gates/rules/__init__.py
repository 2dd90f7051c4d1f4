"""The business rules, one module each; `assistant.gates.registry` lists them."""
