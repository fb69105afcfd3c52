"""`ferrule doctor`: what keeps a client, a hook or a worker from doing its part, one line each with its fix.

Owns the command's words and output. Knows nothing of how anything is found.
"""

from argparse import Namespace

from ferrule.interfaces.cli.output import print_json
from ferrule.interfaces.cli.page import Page
from ferrule.wiring.doctoring import Finding, Level, Patient, examined

__all__ = ["run_doctor"]

MARKS = {Level.PROBLEM: ("problem", "red"), Level.NOTE: ("note", "yellow")}
NEEDS_A_HAND = 1


def run_doctor(arguments: Namespace) -> int:
    """Say what needs a hand; 1 when something does.

    Raises:
        UsageError: no such client.
    """
    patients = examined(arguments.client, arguments.home, arguments.config_dir)
    if arguments.json:
        print_json(*(row for patient in patients for row in _rows(patient)))
    else:
        page = Page()
        for patient in patients:
            _tell(page, patient)
        if len(patients) == 1:
            page.line("No client of Ferrule's is on this machine: neither Claude Code nor Codex")
    return NEEDS_A_HAND if any(patient.needs_a_hand for patient in patients) else 0


def _rows(patient: Patient) -> list[dict[str, object]]:
    """One object per finding; one that says so where there is nothing to find."""
    found = patient.findings or (Finding(Level.WELL, "well", "all well"),)
    return [
        {"about": patient.name, "level": one.level.value, "code": one.code, "text": one.text, "fix": one.fix or None}
        for one in found
    ]


def _tell(page: Page, patient: Patient) -> None:
    page.line((patient.title, "bold"), f"  {patient.place}")
    told = sorted((one for one in patient.findings if one.level in MARKS), key=lambda one: one.level is Level.NOTE)
    good = ", ".join(one.text for one in patient.findings if one.level is Level.WELL)
    for one in told:
        fix = f". Fix: {one.fix}" if one.fix else ""
        page.line(MARKS[one.level], f"  {one.text}{fix}", indent=2, hang=4)
    if not patient.needs_a_hand and (good or not patient.findings):
        page.line(("all well", "green"), f"  {good}" if good else "", indent=2)
