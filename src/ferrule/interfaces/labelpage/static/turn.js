// The turn as it was: what was said, what the agent did, and what of it can be picked up.

import { button, byId, el, get } from "./elements.js";

let picked = "";

// What the person selected last inside the turn, as it stands there.
export const selection = () => picked;

export function watchSelection(changed) {
  document.addEventListener("selectionchange", () => {
    const now = document.getSelection();
    if (!now || now.isCollapsed || !now.anchorNode) return;
    if (!byId("turn").contains(now.anchorNode) || !byId("turn").contains(now.focusNode)) return;
    picked = now.toString().trim();
    changed(picked);
  });
}

export function forget() {
  picked = "";
}

export function showTurn(turn) {
  const parts = [
    el("p", { class: "place" }, [turn.file, `turn ${turn.ordinal}`, turn.cwd, turn.branch && `branch ${turn.branch}`]
      .filter(Boolean).join(" · ")),
    said("User", "user", turn.user),
    ...turn.steering.map((text) => said("User, while it worked", "user", text)),
    said("Outcome", "outcome", turn.outcome),
    turn.calls.length > 0 && el("h3", {}, `What the agent did (${turn.calls.length})`),
    el("div", { class: "calls" }, turn.calls.map((call, index) => folded(turn.n, call, index))),
  ];
  byId("turn").replaceChildren(...parts.filter(Boolean));
}

function said(title, role, text) {
  return el("article", { class: role }, el("h3", {}, title), el("div", { class: "said", "data-role": role, dir: "auto" }, text));
}

function folded(n, call, index) {
  const state = call.ok === true ? "worked" : call.ok === false ? "failed" : "unknown";
  const made = el("details", { "data-call": index },
    el("summary", {},
      el("span", { class: `mark ${state}`, title: state }, { worked: "✓", failed: "✗", unknown: "·" }[state]),
      el("span", { class: "hidden" }, `${state}: `),
      el("b", {}, call.tool || "tool"), " ", el("span", { class: "about" }, call.about),
      el("span", { class: "size" }, sized(call.size))));
  made.addEventListener("toggle", () => { if (made.open) filled(made, n, index); });
  return made;
}

async function filled(details, n, index) {
  if (details.dataset.full) return;
  details.dataset.full = "yes";
  const answer = await get("api/call", { n, call: index }).catch(() => null);
  if (!answer?.ok) {
    delete details.dataset.full;
    return;
  }
  const { arguments: given, result } = answer.value;
  details.append(
    el("h4", {}, "Called with"), el("pre", { tabindex: "0", dir: "auto" }, given || "nothing"),
    el("h4", {}, "Result"), el("pre", { tabindex: "0", dir: "auto" }, result ?? "The transcript holds none."));
}

const sized = (count) => (count > 2000 ? `${Math.round(count / 1000)} K` : count ? `${count}` : "");

// Buttons that lead to where a value stands; a word of warning when it stands nowhere.
export function spotLinks(spots, value) {
  if (spots.length === 0) return [el("span", { class: "fault" }, "does not stand in the turn, letter by letter")];
  const places = new Map();
  for (const spot of spots) {
    const name = spot.call === null ? (spot.role === "tool" ? "folder or branch" : spot.role) : `call ${spot.call + 1}`;
    if (!places.has(name)) places.set(name, spot);
  }
  return [...places].slice(0, 6).map(([name, spot]) =>
    button(name, () => shown(spot, value), { class: "link", title: "Show where it stands" }));
}

async function shown(spot, value) {
  let boxes = [...document.querySelectorAll(`#turn [data-role="${spot.role}"]`)];
  if (spot.call !== null) {
    const details = document.querySelector(`#turn details[data-call="${spot.call}"]`);
    details.open = true;
    await filled(details, Number(byId("jump").value), spot.call);
    boxes = [...details.querySelectorAll("pre")];
  }
  for (const box of boxes) {
    const text = box.firstChild;
    const start = text ? text.data.indexOf(value) : -1;
    if (start < 0) continue;
    const range = document.createRange();
    range.setStart(text, start);
    range.setEnd(text, start + value.length);
    document.getSelection().removeAllRanges();
    document.getSelection().addRange(range);
    const mark = range.getBoundingClientRect();
    window.scrollBy({ top: mark.top - window.innerHeight / 3, behavior: "smooth" });
    byId("turn").scrollBy({ top: mark.top - window.innerHeight / 3, behavior: "smooth" });
    return;
  }
}
