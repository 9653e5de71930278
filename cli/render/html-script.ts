/** The script of a plan as HTML: the filter, which is hidden where no script runs. */
export const filterScript = `"use strict";
(() => {
  const form = document.getElementById("filter");
  if (!form) return;
  const cards = [...document.querySelectorAll("[data-action]")];
  const shown = document.getElementById("shown");
  const apply = () => {
    const words = form.elements.text.value.toLowerCase().split(/\\s+/).filter((word) => word !== "");
    const kind = form.elements.kind.value;
    const action = form.elements.action.value;
    let count = 0;
    for (const card of cards) {
      const text = card.textContent.toLowerCase();
      const isChosen = (action === "" || card.dataset.action === action) && (kind === "" || card.dataset.kind === kind)
        && words.every((word) => text.includes(word));
      card.hidden = !isChosen;
      if (isChosen) count += 1;
    }
    shown.textContent = count === cards.length ? "" : count + " of " + cards.length + " shown";
  };
  form.addEventListener("input", apply);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.hidden = false;
  apply();
})();`;
