"""What an agent is told after its conversation was made short: recorded from a real Codex, for the README.

`python scripts/recording.py`: installs Ferrule into a fresh Codex, lets a scripted model do a turn of work in it, lets
Codex compact the conversation, and prints what Ferrule's hook put into the model's input then, word for word; only the
folder that the recording was made in is shortened to `~/src`.
"""

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "support"))

from client_programmes import CODEX, Absent, command_of, new_place
from client_script import AGAIN, GO_ON, WORK, script_in
from real_clients import RealCodex, place_of
from real_processes import end_worker, reviews, wait_for
from scripted_model import scripted_model

RECALLED = re.compile(r"<ferrule-memory.*?</ferrule-memory>", re.DOTALL)
SUMMARY = re.compile(r"Earlier work is done[^\n]*")


def main() -> int:
    """Record, and print; 1 when Codex cannot be had here."""
    try:
        command = command_of(CODEX)
    except Absent as absent:
        print(f"no recording: {absent}", file=sys.stderr)
        return 1
    with new_place() as folder, scripted_model(script_in(folder)) as model:
        codex = RealCodex(command, place_of(folder), model)
        codex.prepared()
        codex.installs()
        try:
            for number, prompt in enumerate((WORK, AGAIN, GO_ON)):
                codex.turn(prompt, resume=number > 0)
                wait_for(lambda number=number: reviews(codex.home) > number, "the review")  # type: ignore[misc]
            told = model.asked[-1].text
            shown = "\n\n".join(
                (f"you> {WORK}", *SUMMARY.findall(told)[-1:], *RECALLED.findall(told)[-1:], f"you> {GO_ON}")
            )
            print(shown.replace(str(folder), "~/src"))
        finally:
            end_worker(codex.home)
    return 0


if __name__ == "__main__":
    sys.exit(main())
