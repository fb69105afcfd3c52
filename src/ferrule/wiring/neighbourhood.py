"""Sessions of one repository may be told what the others remember, in a project where a person switched that on.

Owns whose memories these are: sources of the same repository, proved by remote or checkout, never of another one
(design.md section 7). Read without a lock and only to be told; admission never sees them. Light, since a client that
starts may come by here. Knows nothing of how much of it is told.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from ferrule.adapters.projects.places import git_root, main_root, origin_of, real
from ferrule.adapters.projects.records import PROJECTS, recalling
from ferrule.adapters.sqlite.remembered import Remembered
from ferrule.bridge.details import Details
from ferrule.recall.wider import others_of
from ferrule.session.place import normal_remote
from ferrule.session.repository import neighbours
from ferrule.session.source import SourceSession

__all__ = ["checkout_of", "is_wide", "others_told"]

MOST_SESSIONS = 50


def is_wide(home: Path, cwd: str | None) -> bool:
    """Whether a session that works in that folder may be told of others; one look where nobody ever opted in."""
    if not (home / PROJECTS).is_dir():
        return False
    root = git_root(cwd)
    return root is not None and any(recalling(home, one) for one in dict.fromkeys((real(root), main_root(root))))


def checkout_of(cwd: str | None) -> str:
    """The main checkout that a folder belongs to, empty when there is none here."""
    root = git_root(cwd)
    return str(main_root(root)) if root is not None else ""


def others_told(
    home: Path,
    remembered: Remembered,
    session: SourceSession,
    *,
    told: Sequence[Details],
    members: Sequence[str] = (),
) -> tuple[Details, ...]:
    """What other sessions of the repository remember besides; nothing where nobody opted in.

    Args:
        home: the home folder.
        remembered: its sessions.
        session: the session, stored or not.
        told: what it and its conversation remember.
        members: the keys of its conversation's sessions.
    """
    if not is_wide(home, session.cwd):
        return ()
    if not session.repository:
        root = git_root(session.cwd)
        session = replace(session, repository=normal_remote(origin_of(root)) if root is not None else None)
    known = remembered.sources()
    near = [one for one in neighbours(session, known, cache(checkout_of)) if one.key not in members][:MOST_SESSIONS]
    forgotten = frozenset(
        mark for key in (session.key, *members, *(one.key for one in near)) for mark in remembered.forgotten(key)
    )
    return others_of(told, ((one.key, remembered.memories(one.key)) for one in near), forgotten)
