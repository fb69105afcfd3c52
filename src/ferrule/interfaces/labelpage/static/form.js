// The label as it is being written. The draft is the truth; the form shows it and every change goes into it at once.

import { button, byId, el, get, post, select } from "./elements.js";
import { selection, spotLinks } from "./turn.js";

let state = null; // { turn, words, draft, dirty, faults }
let acts = { changed: () => {}, takeAway: () => {} };
let named = 0;

export const draft = () => state.draft;
export const dirty = () => state !== null && state.dirty;
export const touch = () => { state.dirty = true; acts.changed(); };

export function showForm(turn, words, given) {
  const label = turn.label ?? { entities: [], forbidden: [], why: "" };
  state = { turn, words, draft: structuredClone({ entities: label.entities, forbidden: label.forbidden, why: label.why }),
    dirty: false, faults: [], offered: null };
  acts = given;
  drawn();
}

export function faulty(faults) {
  state.faults = faults;
  drawn();
  byId("faults")?.focus();
}

function drawn(focus) {
  const { draft: now } = state;
  const within = byId("form").contains(document.activeElement);
  byId("form").replaceChildren(...[
    summary(),
    tools(),
    offers(),
    el("div", { id: "entities" }, now.entities.map((entity, number) => entityBox(entity, number))),
    now.entities.length === 0 && el("p", { class: "empty" },
      "No entity yet. Select a path, an id or a command in the turn, or show what it mentions. ",
      "A turn that only explains or chats usually deserves nothing."),
    forbiddenBox(),
    field("Why, in one sentence", "why", el("textarea", { rows: "2", oninput: (event) => {
      now.why = event.target.value;
      touch();
    } }, now.why)),
    state.turn.label && button("Take this label away", () => acts.takeAway(), { class: "remove" }),
  ].filter(Boolean));
  const chosen = focus && byId("form").querySelector(focus);
  if (chosen) {
    chosen.focus();
    chosen.scrollIntoView({ block: "nearest" });
  } else if (within) {
    byId("form").focus({ preventScroll: true }); // what had the focus is gone
  }
}

function summary() {
  if (state.faults.length === 0) return null;
  return el("div", { id: "faults", class: "faults", role: "alert", tabindex: "-1" },
    el("p", {}, "Not saved yet:"),
    el("ul", {}, state.faults.map((fault) =>
      el("li", {}, button(`${spoken(fault.where)}: ${fault.says}`, () => reach(fault.where), { class: "link" })))));
}

function spoken(where) {
  const [part, number, ...rest] = where.split(".");
  if (number === undefined) return part === "why" ? "the reason" : part;
  const name = part === "entities" ? "entity" : "forbidden value";
  return [`${name} ${Number(number) + 1}`, ...rest.map((word) => (/^\d+$/.test(word) ? Number(word) + 1 : word))].join(", ");
}

function reach(where) {
  for (let at = where; at; at = at.slice(0, Math.max(0, at.lastIndexOf(".")))) {
    const found = byId("form").querySelector(`[data-where="${at}"]`);
    if (found) return (found.querySelector("input, textarea, select, button") ?? found).focus();
  }
  return undefined;
}

function field(words, where, control, ...more) {
  const id = `f${++named}`;
  control.id = id;
  const mine = state.faults.filter((fault) => fault.where === where);
  if (mine.length > 0) {
    control.setAttribute("aria-invalid", "true");
    control.setAttribute("aria-describedby", `${id}-fault`);
  }
  return el("div", { class: "field", "data-where": where }, el("label", { for: id }, words), control, more,
    mine.length > 0 && el("p", { class: "fault", id: `${id}-fault` }, mine.map((fault) => fault.says).join("; ")));
}

// What is done with the selected text.

function tools() {
  const text = selection();
  const off = text === "";
  return el("div", { class: off ? "tools" : "tools has", role: "group", "aria-label": "With the selected text" },
    el("p", { id: "picked", class: "picked" }, off ? "Select text in the turn to use it." : `Selected: ${text.slice(0, 80)}`),
    el("div", { class: "row" },
      button("New entity", entityFromSelection, { "data-needs": "selection", disabled: off }),
      button("Handle of the last entity", handleFromSelection, { "data-needs": "selection", disabled: off }),
      button("Alias of the last entity", aliasFromSelection, { "data-needs": "selection", disabled: off }),
      button("Forbid", forbidSelection, { "data-needs": "selection", disabled: off })));
}

export function selectionChanged(text) {
  const line = byId("picked");
  if (line) {
    line.textContent = `Selected: ${text.slice(0, 80)}`;
    line.parentElement.className = text === "" ? "tools" : "tools has";
  }
  for (const each of document.querySelectorAll('[data-needs="selection"]')) each.disabled = text === "";
}

export async function entityFromSelection() {
  if (selection()) await entityOf(selection());
}

async function entityOf(value) {
  await offered();
  const known = state.offered.find((one) => one.handles.some((handle) => handle.value === value));
  const [kind, type] = guessed(value);
  addEntity(known ?? { label: value.slice(0, 80), type, modality: "existing", handles: [{ kind, value }] });
}

// Only a beginning for what nothing recognised; the person sees and corrects it.
function guessed(value) {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(value)) return ["url", "WebSite"];
  if (/^[0-9a-f]{7,40}$/.test(value)) return ["commit-sha", "Commit"];
  if (/\s/.test(value)) return ["command", "Command"];
  return /[/\\.]/.test(value) ? ["filesystem-path", "SourceFile"] : ["other-id", "Task"];
}

export function handleFromSelection() {
  const last = state.draft.entities.at(-1);
  if (!selection() || !last) return entityFromSelection();
  last.handles.push({ kind: last.handles[0]?.kind ?? "filesystem-path", value: selection() });
  touch();
  return drawn(`[data-where="entities.${state.draft.entities.length - 1}.handles"] textarea`);
}

export function aliasFromSelection() {
  const last = state.draft.entities.at(-1);
  if (!selection() || !last || last.aliases.includes(selection())) return;
  last.aliases.push(selection());
  touch();
  drawn();
}

export function forbidSelection() {
  if (!selection()) return;
  state.draft.forbidden.push({ value: selection(), why: "" });
  touch();
  drawn(`[data-where="forbidden.${state.draft.forbidden.length - 1}.why"] input`);
}

// What the turn mentions: recognised, never what a reviewer would write.

async function offered() {
  if (state.offered === null) {
    const turn = state.turn;
    const answer = await get("api/candidates", { n: turn.n }).catch(() => null);
    if (state.turn === turn) state.offered = answer?.ok ? answer.value : [];
  }
}

export async function showOffers() {
  await offered();
  state.open = true;
  drawn("#offers button");
}

function offers() {
  if (!state.open || state.offered === null) {
    return button("Show what the turn mentions", showOffers, { class: "offer", "aria-keyshortcuts": "c" });
  }
  if (state.offered.length === 0) return el("p", { class: "empty" }, "No handle was recognised in this turn.");
  return el("div", { id: "offers", role: "group", "aria-label": "What the turn mentions" },
    el("p", { class: "hint" }, "Click what deserves memory; most of these do not."),
    el("div", { class: "chips" }, state.offered.map(chip)));
}

function chip(one) {
  const used = state.draft.entities.findIndex((entity) =>
    entity.handles.some((mine) => one.handles.some((handle) => handle.value === mine.value)));
  const use = () => (used < 0 ? addEntity(one) : drawn(`[data-where="entities.${used}.label"] input`));
  return button([el("span", { class: "chip-value" }, one.handles[0].value), el("small", {}, `${one.handles[0].kind} · ${one.roles.join(", ")}`)],
    use, { class: used < 0 ? "chip" : "chip used", "aria-pressed": used < 0 ? "false" : "true" });
}

function addEntity(guess) {
  state.draft.entities.push({ label: guess.label, aliases: [], type: guess.type, grade: "required",
    modality: guess.modality, handles: guess.handles.map((handle) => ({ ...handle })) });
  touch();
  drawn(`[data-where="entities.${state.draft.entities.length - 1}.label"] input`);
}

// One entity.

function entityBox(entity, number) {
  const at = `entities.${number}`;
  const set = (name) => (event) => { entity[name] = event.target.value; touch(); };
  const types = `types-${number}`;
  return el("fieldset", { class: `entity ${entity.grade}`, "data-where": at },
    el("legend", {}, `Entity ${number + 1}`),
    el("div", { class: "pair" },
      field("Name", `${at}.label`, el("input", { value: entity.label, oninput: set("label"), dir: "auto", autocomplete: "off" })),
      field("Type", `${at}.type`, el("input", { value: entity.type, list: types, oninput: set("type"), autocomplete: "off", spellcheck: "false" })),
      el("datalist", { id: types }, state.words.types.map((name) => el("option", { value: name })))),
    el("div", { class: "pair" },
      grade(entity, number),
      field("What became of it", `${at}.modality`, select(state.words.modalities, entity.modality, { onchange: set("modality") }))),
    el("div", { "data-where": `${at}.handles` },
      el("h4", {}, "Handles"),
      ...faultLines(`${at}.handles`),
      entity.handles.map((handle, which) => handleRow(entity, handle, `${at}.handles.${which}`)),
      button("Another handle", () => {
        entity.handles.push({ kind: "filesystem-path", value: "" });
        touch();
        drawn(`[data-where="${at}.handles.${entity.handles.length - 1}.value"] textarea`);
      })),
    field("Other names in the turn, one a line", `${at}.aliases`, el("textarea", { rows: String(Math.max(1, entity.aliases.length)), dir: "auto",
      oninput: (event) => {
        entity.aliases = event.target.value.split("\n").map((line) => line.trim()).filter(Boolean);
        touch();
      } }, entity.aliases.join("\n")), aliasFaults(`${at}.aliases`)),
    button("Remove this entity", () => {
      state.draft.entities.splice(number, 1);
      state.faults = [];
      touch();
      drawn(".offer, #offers button");
    }, { class: "remove" }));
}

const faultLines = (where) => state.faults.filter((fault) => fault.where === where)
  .map((fault) => el("p", { class: "fault" }, fault.says));

const aliasFaults = (where) => state.faults.filter((fault) => fault.where.startsWith(`${where}.`))
  .map((fault) => el("p", { class: "fault" }, fault.says));

function grade(entity, number) {
  const words = { required: "required: a later turn would miss it", acceptable: "acceptable: neither wanted nor wrong" };
  return el("div", { class: "field", role: "radiogroup", "aria-label": "Grade", "data-where": `entities.${number}.grade` },
    state.words.grades.map((name) => el("label", { class: "radio" },
      el("input", { type: "radio", name: `grade-${number}`, value: name, checked: entity.grade === name, onchange: (event) => {
        entity.grade = name;
        event.target.closest("fieldset").className = `entity ${name}`;
        touch();
      } }), words[name] ?? name)));
}

function handleRow(entity, handle, at) {
  const spots = el("div", { class: "spots", "aria-live": "polite" });
  const located = async () => {
    if (!handle.value) return spots.replaceChildren();
    const answer = await post("api/spots", { n: state.turn.n, value: handle.value }).catch(() => null);
    if (answer?.ok) spots.replaceChildren("stands in ", ...spotLinks(answer.value, handle.value));
    if (answer?.ok && answer.value.length === 0) spots.firstChild.remove();
    return undefined;
  };
  located();
  return el("div", { class: "handle" },
    field("Kind", `${at}.kind`, select(state.words.kinds, handle.kind, { onchange: (event) => {
      handle.kind = event.target.value;
      touch();
    } })),
    field("Value, as it stands in the turn", `${at}.value`, el("textarea", { rows: "1", dir: "auto", spellcheck: "false", oninput: (event) => {
      handle.value = event.target.value;
      touch();
    }, onchange: located }, handle.value), spots),
    button("Remove", () => {
      entity.handles.splice(entity.handles.indexOf(handle), 1);
      touch();
      drawn();
    }, { "aria-label": `Remove handle ${handle.value}` }));
}

// What must never be written.

function forbiddenBox() {
  const { forbidden } = state.draft;
  return el("fieldset", { class: "forbidden" },
    el("legend", {}, "Forbidden values"),
    forbidden.length === 0 && el("p", { class: "empty" }, "Select a value that must never be remembered, then choose Forbid."),
    forbidden.map((item, number) => el("div", { class: "handle" },
      field("Value", `forbidden.${number}.value`, el("textarea", { rows: "1", dir: "auto", spellcheck: "false", oninput: (event) => {
        item.value = event.target.value;
        touch();
      } }, item.value)),
      field("Why (log, guess, example, temporary …)", `forbidden.${number}.why`, el("input", { value: item.why, oninput: (event) => {
        item.why = event.target.value;
        touch();
      } })),
      button("Remove", () => {
        forbidden.splice(number, 1);
        touch();
        drawn();
      }, { "aria-label": `Remove forbidden value ${item.value}` }))));
}
