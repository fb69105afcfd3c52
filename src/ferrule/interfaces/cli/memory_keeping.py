"""`ferrule memory backup|restore`: a safe copy, and the way back, with what it would lose shown first.

Owns the commands' words and output. Knows nothing of files and stores.
"""

from argparse import Namespace

from ferrule.interfaces.cli.asking import NOT_DONE, answered
from ferrule.interfaces.cli.output import Progress, print_json
from ferrule.interfaces.cli.page import Page
from ferrule.wiring.keeping import Loss, Names, Restored, Staged, backed_up, restored

__all__ = ["run_backup", "run_restore"]

MOST_NAMED = 20


def run_backup(arguments: Namespace) -> int:
    """Copy the store into a new, checked file with a manifest beside; workers go on meanwhile.

    Raises:
        UsageError: no home, or the file exists already.
        StoreError: the store does not check out, or the backup cannot be written.
    """
    with Progress() as progress:
        progress("copying the store, and checking the copy")
        path, manifest = backed_up(arguments.home, arguments.target)
    if arguments.json:
        print_json(
            {
                "file": str(path),
                "sha256": manifest.sha256,
                "size": manifest.size,
                "store_version": manifest.store_version,
                "made_at": manifest.made_at,
                "receipts": manifest.receipts,
                "head": manifest.head,
                "counts": dict(manifest.counts),
            }
        )
        return 0
    page = Page()
    page.line(("backed up and checked", "green"), f": {path}")
    held = f"{manifest.counts['memories']} memories of {manifest.counts['sessions']} sessions"
    page.line(f"{held}, {manifest.receipts} receipts, {manifest.size} bytes, SHA-256 {manifest.sha256}", indent=2)
    page.line(("Keys and settings of the home are not in it. Anybody who can read it can read the memory.", "dim"))
    return 0


def run_restore(arguments: Namespace) -> int:
    """Put a backup in the place of the store; 1 when it was only shown what that would change.

    Raises:
        StoreError: the backup is damaged or newer, the home is in use, or cannot be written; nothing was changed.
    """
    shown: list[Staged] = []
    page = None if arguments.json else Page()

    def wanted(ready: Staged) -> bool:
        shown.append(ready)
        if page is None:
            return bool(arguments.yes)
        with progress.paused():
            _show(page, arguments.file, ready)
            return answered(arguments, page, "Restore it?")

    with Progress() as progress:
        progress("checking the backup, and what is there now")
        done = restored(arguments.home, arguments.file, wanted)
    if page is None:
        print_json(_json(shown[0], done))
    elif done.done:
        page.line(("restored", "green"), f": {shown[0].home}")
        if done.aside is not None:
            kept = "until its retention has passed or something is forgotten"
            page.line(f"the store that was there is kept {kept}: {done.aside}", indent=2)
        for note in done.notes:
            page.line(("note", "yellow"), f"  {note}", indent=2)
    return 0 if done.done else NOT_DONE


def _show(page: Page, file: str, ready: Staged) -> None:
    made = f" of {ready.manifest.made_at}" if ready.manifest else ", without a manifest: a cut end could not be told"
    counts = ready.counts
    page.line((f"backup{made}", "bold"), f": {file}")
    page.line(f"{counts.memories} memories of {counts.sessions} sessions, {counts.receipts} receipts", indent=2)
    present = ready.present
    if present is None:
        page.line(f"{ready.home} holds no store: nothing is lost", indent=2)
        return
    if present.loss is None or present.counts is None:
        page.line(("what is there now cannot be read", "red"), f", so nobody knows what is lost: {present.trouble}")
        return
    page.line((f"now in {ready.home}", "bold"), f": {present.counts.memories} memories, {present.counts.turns} turns")
    _show_loss(page, present.loss)


def _show_loss(page: Page, loss: Loss) -> None:
    if not loss.same_history:
        page.line(("another home's, or another history: all of what is there now is replaced", "yellow"), indent=2)
    for names, words, style in (
        (loss.gone, "would be lost", "red"),
        (loss.older, "would be as they were", "yellow"),
        (loss.learned_again, "were forgotten since, and would be no more", "yellow"),
        (loss.back, "would come back", "green"),
    ):
        if names.count:
            page.line((f"{names.count} {words}", style), indent=2)
            for session, name in names.first[:MOST_NAMED]:
                page.line(name, (f"  {session}", "dim"), indent=4)
            if names.count > MOST_NAMED:
                page.line((f"… {names.count - MOST_NAMED} more (--json names up to a thousand)", "dim"), indent=4)
    page.line(f"{loss.receipts} receipts were given since", indent=2)


def _json(ready: Staged, done: Restored) -> dict[str, object]:
    present = ready.present
    loss = present.loss if present else None
    return {
        "home": str(ready.home),
        "manifest": ready.manifest is not None,
        "memories": ready.counts.memories,
        "receipts": ready.counts.receipts,
        "present": None if present is None else {"readable": loss is not None, "trouble": present.trouble or None},
        "lost": _names(loss.gone if loss else None),
        "older": _names(loss.older if loss else None),
        "back": _names(loss.back if loss else None),
        "no_longer_forgotten": _names(loss.learned_again if loss else None),
        "same_history": loss.same_history if loss else None,
        "receipts_since": loss.receipts if loss else None,
        "aside": str(done.aside) if done.aside else None,
        "notes": list(done.notes),
        "done": done.done,
    }


def _names(names: Names | None) -> dict[str, object] | None:
    if names is None:
        return None
    return {"count": names.count, "first": [{"session": session, "name": name} for session, name in names.first]}
