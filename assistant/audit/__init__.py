"""Where each part of a request came from, and that nothing crossed."""
