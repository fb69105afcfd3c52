"""A doctor looks over the home and the clients that report to it, and says of each what needs a hand.

Owns whom to look at. Knows nothing of what is looked for.
"""

from pathlib import Path

from ferrule.wiring.doctor_clients import looked_over_client
from ferrule.wiring.doctor_findings import Finding, Level, Patient
from ferrule.wiring.doctor_home import heard_of, looked_over_home
from ferrule.wiring.installing import CLIENTS, client_named, home_at

__all__ = ["Finding", "Level", "Patient", "examined"]


def examined(name: str | None, home: Path | str | None, config: Path | str | None) -> tuple[Patient, ...]:
    """The home, then one client, or every one that is on this machine.

    Raises:
        UsageError: no such client.
    """
    place = home_at(home)
    clients = list(CLIENTS.values()) if name is None else [client_named(name)]
    heard = heard_of(place)
    found = [
        looked_over_client(client, place, config, asked=name is not None, sessions=heard[client.name])
        for client in clients
    ]
    return (looked_over_home(place), *(patient for patient in found if patient is not None))
