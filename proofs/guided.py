"""`python -m proofs.guided CORPUS [libFuzzer's options]`: the same judgements, led by atheris where it is installed.

Atheris counts every branch of our code, which `proofs.fuzzing` cannot do before Python 3.12; it is no dependency, and
the campaign does without. CORPUS is a folder that is made, given our seed texts, and kept. It runs until it is stopped
or by `-max_total_time=SECONDS`, and stops at the first finding, whose bytes libFuzzer writes to a file. Owns only
the way from bytes to a text. Knows nothing of what must hold.
"""

import importlib
import sys
from pathlib import Path
from typing import Any

__all__ = ["main"]


def main(words: list[str]) -> int:
    """Hand over to atheris, which does not come back; 2 when it is not installed or no folder is named."""
    if not words or words[0].startswith("-"):
        print("name a folder for the corpus first: python -m proofs.guided CORPUS -max_total_time=3600")
        return 2
    try:
        atheris: Any = importlib.import_module("atheris")
    except ModuleNotFoundError:
        print("atheris is not installed here; install it beside Ferrule, or run `make fuzz`, which needs nothing")
        return 2
    with atheris.instrument_imports(include=["ferrule.protoscript"]):
        reading = importlib.import_module("proofs.reading")
    seeds: tuple[str, ...] = importlib.import_module("proofs.mutations").SEEDS

    def judge(data: bytes) -> None:
        found: str = reading.wrong(data.decode("utf-8", "surrogateescape"))
        if found:
            raise AssertionError(found)

    corpus = Path(words[0])
    corpus.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(seeds):
        (corpus / f"seed-{number}").write_text(seed, encoding="utf-8", errors="surrogatepass")
    atheris.Setup([sys.argv[0], *words], judge)
    atheris.Fuzz()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
