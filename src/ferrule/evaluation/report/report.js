"use strict";
// Filters the cards of turns. The page is whole without it: the form stays hidden then, and the anchors remain.
(() => {
  const form = document.getElementById("filter");
  if (!form) return;
  const field = (name) => document.getElementById(`filter-${name}`);
  const cards = [...document.querySelectorAll("details.case")].map((card) => ({
    card,
    faults: (card.dataset.f || "").split(" ").map((token) => token.split(":")),
    words: null,
  }));
  const value = (name) => (field(name) ? field(name).value : "");
  const fits = (entry, lane, fault, subject, words) =>
    entry.faults.some(
      (found) => (!lane || found[0] === lane) && (!fault || found[1] === fault) && (!subject || found[2] === subject),
    ) && (!words || (entry.words ??= entry.card.textContent.toLowerCase()).includes(words));
  const apply = () => {
    const wanted = [value("lane"), value("fault"), value("subject"), value("text").trim().toLowerCase()];
    let shown = 0;
    for (const entry of cards) {
      const fit = fits(entry, ...wanted);
      entry.card.hidden = !fit;
      shown += fit ? 1 : 0;
    }
    document.getElementById("filter-count").textContent = `${shown} of ${cards.length} turns shown`;
  };
  const opened = (open) => () => cards.forEach(({ card }) => { if (!card.hidden || !open) card.open = open; });
  const reach = () => {
    const card = document.getElementById(location.hash.slice(1));
    if (!card || !card.classList.contains("case")) return;
    if (card.hidden) { form.reset(); apply(); }
    card.open = true;
    card.scrollIntoView();
  };
  form.hidden = false;
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", apply);
  form.addEventListener("reset", () => setTimeout(apply));
  document.getElementById("open-all").addEventListener("click", opened(true));
  document.getElementById("close-all").addEventListener("click", opened(false));
  addEventListener("hashchange", reach);
  apply();
  reach();
})();
