export const style = `
:root {
  color-scheme: light dark;
  --ground: #f6f7f9; --paper: #ffffff; --ink: #1b2330; --faint: #596577; --line: #dde2ea; --accent: #1f5fd0;
  --good: #17703c; --good-ground: #e3f4e9; --note: #8a5a00; --note-ground: #fdf1d8;
  --bad: #b3261e; --bad-ground: #fce8e6; --plain: #4a5568; --plain-ground: #e9edf3; --code: #f1f3f7;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #10141b; --paper: #181e27; --ink: #e6eaf1; --faint: #9aa7ba; --line: #2c3542; --accent: #7fb0ff;
    --good: #6fd394; --good-ground: #12301f; --note: #f0c164; --note-ground: #352a10;
    --bad: #ff9b92; --bad-ground: #3d1715; --plain: #b4c0d1; --plain-ground: #27303d; --code: #11161e;
  }
}
* { box-sizing: border-box; }
html { font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
body { margin: 0; background: var(--ground); color: var(--ink); }
a { color: var(--accent); text-underline-offset: 0.15em; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
.skip { position: absolute; left: -999px; }
.skip:focus { left: 1rem; top: 1rem; background: var(--paper); padding: 0.5rem 1rem; z-index: 2; }
.page { max-width: 68rem; margin: 0 auto; padding: 1.25rem 1rem 3rem; }
header.top { display: flex; flex-wrap: wrap; gap: 0.25rem 1.5rem; align-items: baseline; } header.top > :last-child { margin-left: auto; }
header.top p { margin: 0; color: var(--faint); font-size: 0.875rem; overflow-wrap: anywhere; }
.brand { font-weight: 650; letter-spacing: 0.01em; color: var(--ink); }
h1 { font-size: clamp(1.4rem, 3.5vw, 2rem); line-height: 1.25; margin: 1rem 0 0.25rem; letter-spacing: -0.01em; text-wrap: balance; }
h2 { font-size: 1.05rem; margin: 2rem 0 0.6rem; }
h3, .card h2 { font-size: 1rem; margin: 0; overflow-wrap: anywhere; }
section.card h2 { margin: 0; }
.under { color: var(--faint); margin: 0 0 1rem; }
code, pre, .mono { font: 0.86em/1.5 ui-monospace, "SF Mono", "Cascadia Mono", Menlo, "DejaVu Sans Mono", monospace; overflow-wrap: anywhere; }
pre { background: var(--code); border: 1px solid var(--line); border-radius: 6px; margin: 0.35rem 0; padding: 0.6rem 0.75rem; overflow-x: auto; white-space: pre-wrap; }
pre.paste { user-select: all; }
.card { background: var(--paper); border: 1px solid var(--line); border-radius: 10px; padding: 0.85rem 1rem; margin: 0 0 0.6rem; border-left: 5px solid var(--line); }
.card.good { border-left-color: var(--good); } .card.note { border-left-color: var(--note); } .card.bad { border-left-color: var(--bad); }
.card.line { padding: 0.35rem 1rem; margin-bottom: 0.25rem; } .line summary > .head { display: inline-flex; width: calc(100% - 1.5rem); vertical-align: top; } .group { margin: 1.1rem 0 0.4rem; }
.head { display: flex; flex-wrap: wrap; gap: 0.3rem 0.75rem; align-items: baseline; }
.head .far { margin-left: auto; color: var(--faint); font-size: 0.875rem; }
.badge { display: inline-block; border-radius: 999px; padding: 0.05rem 0.6rem; font-size: 0.8125rem; font-weight: 600; white-space: nowrap; color: var(--plain); background: var(--plain-ground); }
.badge.good { color: var(--good); background: var(--good-ground); } .badge.note { color: var(--note); background: var(--note-ground); } .badge.bad { color: var(--bad); background: var(--bad-ground); }
.card p { margin: 0.4rem 0 0; overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.1rem 1rem; margin: 0.5rem 0 0; font-size: 0.9375rem; }
dt { color: var(--faint); } dd { margin: 0; overflow-wrap: anywhere; }
ul.plain { list-style: none; margin: 0.4rem 0 0; padding: 0; } ul.plain > li { padding: 0.2rem 0; overflow-wrap: anywhere; }
.faint { color: var(--faint); }
nav.chips { display: flex; flex-wrap: wrap; gap: 0.4rem; margin: 0.75rem 0; }
nav.chips a { text-decoration: none; color: var(--ink); border: 1px solid var(--line); background: var(--paper); border-radius: 999px; padding: 0.15rem 0.75rem; font-size: 0.875rem; }
nav.chips a[aria-current] { border-color: var(--accent); color: var(--accent); font-weight: 600; }
input[type="search"], input[type="password"], select { font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--line); border-radius: 8px; padding: 0.4rem 0.7rem; width: min(26rem, 100%); }
.gauge { width: 100%; height: 0.6rem; display: block; border-radius: 999px; overflow: hidden; margin: 0.4rem 0; }
.gauge .whole { fill: var(--plain-ground); } .gauge .part { fill: var(--accent); } .gauge.low .part { fill: var(--bad); }
.banner { border-radius: 10px; padding: 0.6rem 1rem; margin: 0.75rem 0; background: var(--bad-ground); color: var(--bad); font-weight: 600; overflow-wrap: anywhere; }
.banner.note { background: var(--note-ground); color: var(--note); }
.stale .badge { color: var(--plain); background: var(--plain-ground); } .stale .card { border-left-color: var(--line); }
.if-stale { display: none; } .stale .if-stale { display: revert; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
[hidden] { display: none !important; }
details > summary { cursor: pointer; } .card > details { margin-top: 0.4rem; } .line > details { margin: 0; }
button, a.button { font: inherit; font-size: 0.875rem; color: var(--accent); background: var(--paper); border: 1px solid var(--accent); border-radius: 8px; padding: 0.3rem 0.8rem; cursor: pointer; text-decoration: none; display: inline-block; }
label + button { margin-top: 0.4rem; }
button.copy { padding: 0 0.5rem; font-size: 0.75rem; } li:has(> .copy) > code { white-space: nowrap; display: inline-block; max-width: 100%; overflow-x: auto; vertical-align: bottom; }
button.strong { color: var(--bad); border-color: var(--bad); font-weight: 600; }
.acts { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: start; margin: 0.6rem 0 0; } form.act { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center; } .acts details[open] form { margin-top: 0.4rem; } .acts summary { font-size: 0.875rem; color: var(--accent); border: 1px solid var(--accent); border-radius: 8px; padding: 0.3rem 0.8rem; }
form.act input:not([type]), form.act select { font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--line); border-radius: 8px; padding: 0.2rem 0.5rem; max-width: 100%; width: auto; }
.banner.good { background: var(--good-ground); color: var(--good); }
table.services { min-width: 50%; border-collapse: collapse; margin: 0.5rem 0 0; font-size: 0.9375rem; }
.services th, .services td { text-align: left; vertical-align: baseline; padding: 0.25rem 2rem 0.25rem 0; border-top: 1px solid var(--line); overflow-wrap: anywhere; }
.services thead th { border: 0; color: var(--faint); font-weight: 400; font-size: 0.8125rem; } .services th .faint { font-weight: 400; } .services time { white-space: nowrap; } .services .note { color: var(--note); } .services:not(:has(td:nth-child(4):not(:empty))) tr > :nth-child(4), .services:not(:has(td:nth-child(5):not(:empty))) tr > :nth-child(5) { display: none; }
ul.columns { columns: 22rem; }
@media (max-width: 40rem) {
  .services thead { display: none; } .services tr { display: flex; flex-wrap: wrap; gap: 0 0.75rem; border-top: 1px solid var(--line); padding: 0.3rem 0; } .services th, .services td { border: 0; padding: 0; } .services td:empty { display: none; }
}
@media (max-width: 40rem) {
  dl { grid-template-columns: 1fr; gap: 0; } dt { margin-top: 0.35rem; font-size: 0.8125rem; }
  .head .far { margin-left: 0; width: 100%; }
}
@media print { .card { break-inside: avoid; } input, nav.chips { display: none; } }
`;
