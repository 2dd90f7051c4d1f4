"""Which servers stand on this machine or in its own network, by their address alone; nothing is looked up."""

from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

_OWN_NAMES: Final = (".localhost", ".local", ".lan", ".internal", ".intranet", ".home.arpa")


def host_of(base_url: str) -> str:
    """Return the host of a URL in small letters, "" where it names none."""
    try:
        return (urlsplit(base_url).hostname or "").rstrip(".")
    except ValueError:
        return ""


def is_local(host: str) -> bool:
    """Tell whether a host is this machine or in its own network: a private address, or a name that is not public."""
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return "." not in host or host.endswith(_OWN_NAMES)
    return address.is_private or address.is_loopback or address.is_link_local
