"""OpenCode as one of the formats that are read, in the four shapes in which its sessions are found."""

from ferrule.adapters.transcripts.formats import Format, Given, Sample
from ferrule.adapters.transcripts.opencode.database import is_database, talks_of_database
from ferrule.adapters.transcripts.opencode.folders import is_session_file, talk_of_folders
from ferrule.adapters.transcripts.opencode.messages import Talk
from ferrule.adapters.transcripts.opencode.reader import (
    NAME,
    is_export,
    is_listed,
    session_of,
    talk_of_export,
    talks_of_list,
)
from ferrule.session.imported import ImportedSession

__all__ = ["FORMAT"]

_FROM_A_FILE = "opencode: a database is read from its file, not through a pipe"


def _looks(sample: Sample) -> bool:
    if sample.database:
        return is_database(sample.head)
    document = sample.document
    return is_export(document) or is_listed(document) or is_session_file(document)


def _read(given: Given) -> tuple[ImportedSession, ...]:
    if not given.sample.database:
        return tuple(session_of(talk, given) for talk in _talks(given))
    if given.path is None:
        given.warnings.append(_FROM_A_FILE)
        return ()
    # One by one, so that not all of them are in memory as the client keeps them; the oldest first in the end.
    return tuple([session_of(talk, given) for talk in talks_of_database(given.path, given.warnings)][::-1])


def _talks(given: Given) -> list[Talk]:
    document = given.sample.document
    if isinstance(document, list):
        return talks_of_list(document)
    if document is None:
        return []
    if is_session_file(document):
        talk = talk_of_folders(document, given.path, given.warnings)
        return [talk] if talk is not None else []
    return [talk_of_export(document)]


FORMAT = Format(NAME, "an OpenCode session", _looks, _read)
