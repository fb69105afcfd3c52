// One page, one turn at a time: moving between turns, saving, and what to do when something is in the way.

import { asked, byId, el, get, post } from "./elements.js";
import * as form from "./form.js";
import { forget, showTurn, watchSelection } from "./turn.js";

const KEYS = [
  ["j or →", "next turn"], ["k or ←", "previous turn"], ["o", "next turn without a label"], ["n", "nothing here, and next"],
  ["s or Ctrl+Enter", "save and next"], ["c", "show what the turn mentions"], ["e", "entity from the selected text"],
  ["h", "handle of the last entity from the selected text"], ["a", "alias of the last entity from the selected text"],
  ["f", "forbid the selected text"], ["?", "this help"],
];

let overview = null;
let turn = null;
let over = false;
let letters = true;

function notice(words, bad = false) {
  byId("notice").textContent = words;
  byId("notice").className = bad ? "bad" : "";
}

function trouble(problem) {
  over ||= problem instanceof TypeError;
  notice("The server does not answer: it has ended, or was stopped. Start the command again; what was saved is kept.", true);
}

function drawProgress() {
  const done = overview.turns.filter((each) => each.state !== "open").length;
  byId("bar").max = overview.turns.length;
  byId("bar").value = done;
  byId("count").textContent = `${done} of ${overview.turns.length} labelled`;
  const jump = byId("jump");
  jump.replaceChildren(...overview.turns.map((each) =>
    el("option", { value: each.n }, `${each.n + 1} ${{ open: "○", write: "●", nothing: "∅" }[each.state] ?? "●"} \u2068${each.title}\u2069`)));
  if (turn) jump.value = String(turn.n);
}

// Whoever writes is there, though nothing is asked meanwhile: the server does not take it for idleness.
const AWAKE = 60_000;
let seen = Date.now();

function drawState() {
  if (form.dirty() && Date.now() - seen > AWAKE) {
    seen = Date.now();
    get("api/seen").catch(trouble);
  }
  const words = { open: "not labelled yet", write: "labelled", nothing: "labelled: nothing" }[turn.state] ?? "labelled";
  document.title = `${turn.n + 1}. ${form.dirty() ? "unsaved" : words} · Label turns`;
  byId("previous").disabled = turn.n === 0;
  byId("next").disabled = turn.n === overview.turns.length - 1;
}

function show(shown) {
  turn = shown;
  forget();
  showTurn(turn);
  form.showForm(turn, overview.words, { changed: drawState, takeAway });
  byId("jump").value = String(turn.n);
  drawState();
}

async function open(number, words = "") {
  if (!(await leaving())) {
    byId("jump").value = String(turn.n);
    return;
  }
  try {
    const answer = await get("api/turn", { n: number });
    if (!answer.ok) return notice(answer.value.error, true);
    show(answer.value);
    notice(words);
    window.scrollTo(0, 0);
    byId("turn").scrollTo(0, 0);
    byId("turn").focus({ preventScroll: true });
  } catch (problem) {
    trouble(problem);
  }
}

async function leaving() {
  if (!form.dirty()) return true;
  const answer = await asked("This turn is not saved", "Its label was changed since.", { save: "Save it", leave: "Leave without saving", stay: "Stay" });
  return answer === "leave" || (answer === "save" && save());
}

async function save(draft = form.draft()) {
  try {
    const { status, value } = await post("api/save", { n: turn.n, revision: turn.revision, draft });
    if (status === 422) {
      form.faulty(value.faults);
      notice("Not saved: something is missing.", true);
      return false;
    }
    if (status === 409) return await settled(value.turn, draft);
    if (status !== 200) {
      notice(value.error ?? "Not saved.", true);
      return false;
    }
    taken(value.turn);
    return true;
  } catch (problem) {
    trouble(problem);
    return false;
  }
}

function taken(saved) {
  overview.turns[saved.n] = saved;
  show(saved);
  drawProgress();
  notice(saved.state === "open" ? "The label is taken away." : "Saved.");
}

// Somebody else saved this turn in between: nothing is overwritten unseen.
async function settled(theirs, mine) {
  const answer = await asked("Saved elsewhere in between", "Another page labelled this turn after it was opened here.",
    { theirs: "Show that label", mine: "Replace it by mine", stay: "Stay" });
  if (answer === "theirs") taken(theirs);
  if (answer !== "mine") return false;
  turn.revision = theirs.revision;
  return save(mine);
}

async function saveAndNext() {
  if (await save()) await nextOpen("Saved. ");
}

async function nothing() {
  const now = form.draft();
  const count = now.entities.length;
  if (count > 0) {
    const sure = await asked("Nothing here?", `The label has ${count === 1 ? "an entity" : `${count} entities`}; this takes them away.`,
      { yes: "Take them away", no: "Stay" });
    if (sure !== "yes") return;
  }
  const why = now.why.trim() || "Nothing that a later turn needs to point at.";
  if (await save({ entities: [], forbidden: now.forbidden, why })) await nextOpen("Saved. ");
}

async function nextOpen(words = "") {
  const { turns } = overview;
  const order = [...turns.slice(turn.n + 1), ...turns.slice(0, turn.n)];
  const found = order.find((each) => each.state === "open");
  if (found) await open(found.n, `${words}This is turn ${found.n + 1}.`);
  else notice(`All ${turns.length} turns are labelled. The files are in ${overview.out}.`);
}

async function step(by) {
  const number = turn.n + by;
  if (number >= 0 && number < overview.turns.length) await open(number);
}

async function end() {
  if (!(await leaving())) return;
  try {
    const { value } = await post("api/end", {});
    over = true;
    notice(`Ended: ${value.done} of ${overview.turns.length} turns are labelled, in ${overview.out}. You can close this page.`);
    for (const each of document.querySelectorAll("button, select, input, textarea")) each.disabled = true;
  } catch (problem) {
    trouble(problem);
  }
}

const GUIDE = [
  ["required", "The turn is about it, or the user wants to go on using it, or the turn made it; and without it a later turn "
    + "would have to search. Mostly one to three a turn."],
  ["acceptable", "It lasts and has a handle, but nobody would mind if it were missing. When in doubt, this."],
  ["nothing", "Thanks, explanations, brainstorming; files only read or listed; logs; temporary files; examples; line numbers."],
  ["forbidden", "A value that would do harm or mislead if it were kept: replaced, made up, injected, from a log."],
  ["what became of it", "The strongest that the turn shows: a claim without a trace in the calls is “reported”, an open plan “planned”."],
];

const listed = (rows, wrap) => el("dl", {}, rows.flatMap(([term, words]) => [el("dt", {}, wrap(term)), el("dd", {}, words)]));

async function takeAway() {
  const sure = await asked("Take this label away?", "The turn counts as not labelled again.", { yes: "Take it away", no: "Stay" });
  if (sure === "yes") await save(null);
}

function help() {
  const list = listed(KEYS, (key) => el("kbd", {}, key));
  const box = el("input", { type: "checkbox", checked: letters, onchange: (event) => { letters = event.target.checked; } });
  return asked("Help", [listed(GUIDE, (term) => el("b", {}, term)), el("h3", {}, "Keys"), list, el("p", {}, el("label", {}, box, " single keys act (Ctrl+Enter always does)"))], { close: "Close" });
}

const PRESSED = {
  j: () => step(1), ArrowRight: () => step(1), k: () => step(-1), ArrowLeft: () => step(-1), o: () => nextOpen(), n: nothing,
  s: saveAndNext, c: form.showOffers, e: form.entityFromSelection, h: form.handleFromSelection, a: form.aliasFromSelection,
  f: form.forbidSelection, "?": help,
};

document.addEventListener("keydown", (event) => {
  if (!turn || over || byId("dialog").open) return;
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    saveAndNext();
    return;
  }
  const typing = event.target.closest?.("input, textarea, select");
  const act = Object.hasOwn(PRESSED, event.key) ? PRESSED[event.key] : null;
  if (typing || !act || !letters || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  act();
});

window.addEventListener("beforeunload", (event) => {
  if (turn && form.dirty() && !over) event.preventDefault();
});

byId("jump").addEventListener("change", (event) => open(Number(event.target.value)));
byId("previous").addEventListener("click", () => step(-1));
byId("next").addEventListener("click", () => step(1));
byId("nothing").addEventListener("click", nothing);
byId("save").addEventListener("click", saveAndNext);
byId("help").addEventListener("click", help);
byId("end").addEventListener("click", end);
watchSelection(form.selectionChanged);

try {
  overview = (await get("api/overview")).value;
  drawProgress();
  const first = overview.turns.find((each) => each.state === "open") ?? overview.turns[0];
  show((await get("api/turn", { n: first.n })).value);
} catch (problem) {
  trouble(problem);
}
