// Elements made of data: every text becomes a text node, never markup. And the questions to the server.

export function el(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name in made && typeof value === "boolean") made[name] = value;
    else made.setAttribute(name, String(value));
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

export function button(words, onclick, attributes = {}) {
  return el("button", { type: "button", onclick, ...attributes }, words);
}

export function select(options, chosen, attributes = {}) {
  const made = el("select", attributes, options.map((name) => el("option", { value: name }, name)));
  made.value = chosen;
  return made;
}

export const byId = (id) => document.getElementById(id);

// The page's own address ends with the token and a slash, so these are below it.
export async function get(path, ask = {}) {
  const query = new URLSearchParams(ask).toString();
  return told(await fetch(query ? `${path}?${query}` : path, { cache: "no-store" }));
}

export async function post(path, body) {
  const headers = { "Content-Type": "application/json" };
  return told(await fetch(path, { method: "POST", headers, body: JSON.stringify(body), cache: "no-store" }));
}

async function told(response) {
  const type = response.headers.get("Content-Type") ?? "";
  const value = type.startsWith("application/json") ? await response.json() : { error: (await response.text()).trim() };
  return { ok: response.ok, status: response.status, value };
}

// A question with a few answers; gives the answer's name, or null when it is waved away.
export function asked(title, words, answers) {
  const dialog = byId("dialog");
  return new Promise((resolve) => {
    const waiting = new AbortController();
    const end = (answer) => { waiting.abort(); resolve(answer); };
    const choose = (name) => () => { dialog.close(); end(name); };
    dialog.replaceChildren(
      el("h2", { id: "dialog-title" }, title),
      ...[words].flat().map((line) => (line instanceof Node ? line : el("p", {}, line))),
      el("div", { class: "row" }, Object.entries(answers).map(([name, said], number) =>
        button(said, choose(name), { class: number === 0 ? "main" : "", autofocus: number === 0 }))),
    );
    // The event comes a moment after the closing: one that finds a dialog open belongs to the question before.
    dialog.addEventListener("close", () => { if (!dialog.open) end(null); }, { signal: waiting.signal });
    dialog.showModal();
    dialog.scrollTop = 0; // the focus may be at its end
  });
}
