/** Updates times, copies texts, marks a stale state, and fetches the content after a change. The page works without it. */
export const script = `"use strict";
(() => {
  const main = () => document.getElementById("content");
  let offset = 0;
  const adjust = () => { offset = Number(main().dataset.now) - Date.now(); };
  const span = (ms) => {
    const s = Math.round(ms / 1000);
    if (s < 100) return s + " s";
    if (s < 6000) return Math.round(s / 60) + " min";
    const h = Math.round(s / 3600);
    return h < 48 ? h + " h" : Math.round(h / 24) + " days";
  };
  const tick = () => {
    const now = Date.now() + offset;
    for (const time of document.querySelectorAll("time[data-at]")) {
      const at = Number(time.dataset.at);
      const text = at > now ? "in " + span(at - now) : span(now - at) + " ago";
      if (time.textContent !== text) time.textContent = text;
    }
    for (const time of document.querySelectorAll("time[data-since]")) {
      const text = span(Math.max(0, now - Number(time.dataset.since)));
      if (time.textContent !== text) time.textContent = text;
    }
    for (const button of document.querySelectorAll("[data-copy][hidden]")) button.hidden = !navigator.clipboard;
    main().classList.toggle("stale", now > Number(main().dataset.staleAt));
  };
  const lost = (isLost) => { document.getElementById("lost").hidden = !isLost; };
  let loading = false, again = false;
  const isActing = () => Boolean(document.activeElement && document.activeElement.closest("form.act")?.matches(":focus-within") && document.activeElement.matches("input, select"));
  const load = async () => {
    if (isActing()) { lost(false); return; }
    if (loading) { again = true; return; }
    loading = true;
    try {
      const answer = await fetch(location.href, { headers: { accept: "text/html" }, cache: "no-store" });
      if (!answer.ok) throw new Error(String(answer.status));
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const next = page.getElementById("content");
      if (!next) throw new Error("no content");
      const open = new Map([...document.querySelectorAll("details[id]")].map((each) => [each.id, each.open]));
      const focus = document.activeElement;
      const where = focus && main().contains(focus) ? focus.id || focus.getAttribute("href") : "";
      const typed = focus && focus.matches("input[type=search]") ? focus.value : undefined;
      main().replaceWith(next);
      for (const [id, isOpen] of open) { const each = document.getElementById(id); if (each) each.open = isOpen; }
      if (where) {
        const same = document.getElementById(where) || [...main().querySelectorAll("a")].find((a) => a.getAttribute("href") === where);
        if (same) { same.focus({ preventScroll: true }); if (typed !== undefined) same.value = typed; }
      }
      document.title = page.title;
      const announcement = document.getElementById("announcement");
      const headline = main().querySelector("h1").dataset.announced;
      if (announcement.textContent !== headline) announcement.textContent = headline;
      adjust();
      lost(false);
    } catch { lost(true); }
    loading = false;
    tick();
    if (again) { again = false; load(); }
  };
  document.addEventListener("click", async ({ target }) => {
    const button = target.closest("[data-copy]");
    if (!button) return;
    await navigator.clipboard.writeText(button.dataset.copy);
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; }, 2000);
  });
  adjust();
  setInterval(tick, 1000);
  tick();
  const events = new EventSource("events");
  let opened = false;
  events.addEventListener("open", () => { if (opened) load(); opened = true; lost(false); });
  events.addEventListener("change", load);
  events.addEventListener("error", () => lost(true));
})();`;
