"""Signals are weighed into one number per thing; the weights are data, fitted by `scripts/fit_ranker.py`.

Owns reading of the weights, the logistic score and the words that explain it. Knows nothing of how signals are found.
"""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

from ferrule.errors import InternalError

__all__ = ["GroupWeights", "explain", "read_weights", "shipped_weights"]

_MOST_REASONS = 2

_WORDS = {
    "user": "the user names it",
    "user_url": "the user gives its address",
    "user_only": "it is the only one of its kind that the user names",
    "outcome": "the outcome names it",
    "outcome_head": "the outcome begins with it",
    "outcome_only": "it is the only one of its kind in the outcome",
    "outcome_again": "the outcome comes back to it",
    "both": "user and outcome both name it",
    "crowd": "it is one of many in the outcome",
    "changed": "it was changed",
    "made": "it was made in this turn",
    "removed": "it was deleted",
    "handled": "it was acted on",
    "ran": "it was run",
    "read": "it was only read",
    "silent": "neither user nor outcome names it",
    "observed_only": "only a tool's output shows it",
    "place": "it is where the session works anyway",
    "proposal": "it is only proposed",
    "answer": "the turn only answers a question",
    "passing": "it is temporary, generated or a log",
    "example": "it is an example",
    "similar": "it is named for comparison",
    "guess": "it is a guess",
    "line_reference": "it is only a line reference",
    "unrelated": "the outcome calls it unrelated",
    "failed": "what was done to it failed",
    "sole": "it is the only file that changed",
    "sole_production": "it is the only file of the work that changed",
    "support": "it accompanies files that carry the work",
    "support_asked": "the turn is about tests",
    "worded": "the turn calls it by its words",
    "sweep": "many files changed alike",
    "changed_few_named": "it carries the change and is named",
    "announced": "the outcome announces it as the next step",
    "announced_late": "the outcome ends with it as the next step",
    "routine": "it is a routine command",
    "inspection": "it only looks at things",
    "asked_by_name": "the user asks about it by name, and the outcome tells where it is",
    "worktree_told": "the outcome tells of this worktree",
    "announced_whole": "the outcome spells out a command that nobody types from memory",
    "user_path": "the user writes its path",
    "lead": "the outcome names it first among many changed files",
    "made_named": "it was made in this turn and is named",
    "made_address": "it was made at this address",
    "many_inside": "many files were created in it",
    "next_step": "it is announced as the next step",
    "rerun": "it is to be run again",
    "elsewhere_user": "the user names it, and it is not where the session works",
    "elsewhere_seen": "it is not where the session works, and was used",
    "other_remote": "it is another repository",
    "used_elsewhere": "it is another repository, and was used",
    "asked_work": "the turn is about it",
    "handled_named": "it was acted on and is named",
    "given": "the user gives it its name",
    "setup": "it is said to be set up",
    "taken_from": "the user says that the value is read from it",
    "unlocated": "nobody says where it is",
    "keep": "the user wants it kept in mind",
    "plan": "the user's plan names it",
    "drafted": "the user orders it, and it is only drafted",
    "changed_user": "it was changed and the user names it",
    "changed_named": "it was changed and the outcome names it",
    "changed_first": "the outcome names it first of the changed files",
    "asked_test": "it is the one test that changed, and the turn is about tests",
    "worded_outcome": "the outcome calls it by its words",
    "removed_first": "it was deleted, and the outcome names it first",
    "user_file": "the user names it, and nothing was changed",
    "user_read": "the user names it as what to go by",
    "user_crowd": "it is one of many that the user names",
    "shallow": "it is a top folder",
    "nested": "it is only part of another thing's spelling",
    "moved": "it was moved or renamed",
    "remote_both": "user and outcome both name its address",
    "worktree": "it is a worktree",
    "changed_inside": "the work lies in it",
    "place_user": "the user names the place of the session",
    "task_idle": "nothing but the task was touched",
    "commit_turn": "the turn commits, and the outcome names this commit",
    "default_branch": "it is the default branch",
    "is_release": "it is a release",
    "is_host": "it is a host",
    "is_database": "it is a database",
    "is_service": "it is a service",
    "answers_where": "it is the answer to where or which",
    "saved": "the outcome says that the result is saved there",
    "plan_user": "the user names it, and it is what work is steered by",
    "plan_first": "the outcome names it first, and it is what work is steered by",
    "shown_diff": "the outcome shows its change",
    "called_folder": "the user calls it a folder by name",
    "subject": "the user names nothing else of its kind, and the outcome begins with it",
    "outcome_said": "the outcome says it in words",
    "user_said": "the user says it in words",
    "user_first": "the user names it first",
    "outcome_first": "the outcome names it first of its kind",
    "called_kind": "the user calls it by its bare name",
    "called_name": "the user calls it by a name that is its own",
    "entered": "the commands of the outcome are to be run in it",
    "to_be_made": "a command of the outcome makes it",
    "entered_asked": "the commands that the user asks for are to be run in it",
    "told_name": "the outcome calls this worktree by its name",
    "parent": "others are numbered below it",
    "reached": "the user says that something is to be reached there",
    "user_idle": "it is the only command that the user speaks of, and nothing was changed",
    "pasted": "the user ran it",
    "led_up": "the outcome leads up to it",
    "found_out": "it worked where others had failed, and the outcome gives it a line of its own",
    "asked_how": "the user asks how to do it, and the outcome gives it a line of its own",
    "numbered": "the user orders it by its number",
    "triaged": "the user asks which, and the outcome lists it",
    "handed_in": "the user says that a value is kept under it",
    "called_host": "the user says which machine it is",
    "called_secret": "the user calls it a secret or variable",
    "superseded": "the user calls it the old one",
    "host_echo": "user and outcome both name the host",
    "plain": "its words could be prose",
    "both_said": "user and outcome both say it",
    "called_inside": "the user calls it by its name, and the outcome names what lies in it",
    "handled_user": "the user names it, and it was acted on",
    "placed": "the user says that the work lies there",
    "about_place": "the turn is about all that lies in it",
    "ordered": "the user orders work on it",
    "tracked": "the user calls it what a tracker holds, or a branch is named after it",
    "claimed": "the outcome says that it was made or changed",
    "singled_out": "the outcome comes back to it, of many",
    "task": "it may be only a step of a plan",
    "published": "it was pushed for the first time and is named",
    "set_out": "the outcome sets it out in a block of its own",
    "introduced": "the outcome leads up to it as what to run",
    "introduced_whole": "the outcome leads up to a command that nobody types from memory",
    "asked_command": "the user asks what to run",
    "asked_kind": "the user asks for one of its kind, and the outcome names this one",
    "corrects": "it is the right spelling of what the user wrote",
    "labelled": "the outcome labels it as the command",
    "announced_only": "it is the only command that the outcome announces",
    "was_failing": "it failed in this turn",
}


@dataclass(frozen=True, slots=True)
class GroupWeights:
    """Weights of one group: bias, weight per signal, and the score from which a thing is remembered."""

    bias: float
    threshold: float
    weights: Mapping[str, float]

    def score(self, signals: Mapping[str, float]) -> float:
        """How likely the thing deserves memory, between 0 and 1."""
        total = self.bias + sum(self.weights.get(name, 0.0) * value for name, value in signals.items())
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, total))))


def read_weights(text: str) -> dict[str, GroupWeights]:
    """Weights by group from their JSON form.

    Raises:
        InternalError: the text is not a weights file.
    """
    try:
        groups = json.loads(text)["groups"]
        return {
            name: GroupWeights(
                float(row["bias"]), float(row["threshold"]), {k: float(v) for k, v in row["weights"].items()}
            )
            for name, row in groups.items()
        }
    except (ValueError, KeyError, TypeError, AttributeError) as problem:
        raise InternalError(f"the ranker's weights cannot be read: {problem}") from problem


@cache
def shipped_weights() -> Mapping[str, GroupWeights]:
    """The weights that ship with Ferrule, read once."""
    return read_weights(resources.files(__package__).joinpath("weights.json").read_text(encoding="utf-8"))


def explain(weights: GroupWeights, signals: Mapping[str, float], *, worth: bool) -> str:
    """The up to two signals that decided, in words, the strongest first."""
    parts = {name: weights.weights.get(name, 0.0) * value for name, value in signals.items() if name in _WORDS}
    sign = 1 if worth else -1
    telling = sorted((name for name, part in parts.items() if part * sign > 0), key=lambda name: -abs(parts[name]))
    words: list[str] = []
    for name in telling:  # "it was made in this turn and is named" has said "it was made in this turn"
        if not any(said.startswith(_WORDS[name]) for said in words):
            words.append(_WORDS[name])
    if words:
        return ", ".join(words[:_MOST_REASONS])
    return "several small signs speak for it" if worth else "nothing in the turn singles it out"
