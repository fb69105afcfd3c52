"""A companion is bound to one source by key, profile and parent, and by nothing less (R7, R8, R12, INV-I7).

Owns what the one hidden child of a source looks like, and how it is told from a session that only has its key. Knows
nothing of attach or of events.
"""

from ferrule.companion.answers import Declined
from ferrule.companion.ports import SessionStore
from ferrule.errors import Code
from ferrule.session.eligibility import NO_SESSION, Ineligible, ineligible
from ferrule.session.keys import child_key, is_text
from ferrule.session.source import CRITIC_PROFILE, SourceSession

__all__ = ["companion_of", "misbound", "observed"]


def companion_of(source: SourceSession) -> SourceSession:
    """The one hidden child that reviews a source (R1, R7, R8, R74)."""
    return SourceSession(
        key=child_key(source.key),
        profile=CRITIC_PROFILE,
        parent=source.key,
        hidden=True,
        client=source.client,
        cwd=source.cwd,
        repository=source.repository,
    )


def observed(store: SessionStore, source: str) -> SourceSession | Ineligible:
    """The stored session when it may be observed, else why not (R9-R12, R98). A read; call it inside the unit."""
    session = store.session(source) if is_text(source) else None
    if session is None:
        return NO_SESSION
    parent = store.session(session.parent) if session.parent is not None else None
    return ineligible(session, parent) or session


def misbound(store: SessionStore, source: str) -> Declined | None:
    """Declined when a session has the child's key but not its profile and parent; None when free or rightly bound."""
    child = store.session(child_key(source))
    if child is None or (child.profile == CRITIC_PROFILE and child.parent == source):
        return None
    return Declined(
        Code.NOT_ATTACHABLE,
        f"companion: a session with the key {child.key} exists, but it is not the companion of this source",
    )
