import anser from "anser";

/** Width of a character and height of a line, in pixels. */
const cell = { width: 8.4, height: 20 };
const margin = { top: 52, side: 20, bottom: 18 };

/** Colours by the names that the parser gives, on a light and on a dark page. */
const palette: Record<string, { light: string; dark: string }> = {
  "ansi-red": { light: "#b3261e", dark: "#ff8a80" },
  "ansi-green": { light: "#1a7f37", dark: "#7ee787" },
  "ansi-yellow": { light: "#8a6100", dark: "#e3b341" },
  "ansi-blue": { light: "#0550ae", dark: "#79c0ff" },
  "ansi-magenta": { light: "#7d2db3", dark: "#d2a8ff" },
  "ansi-cyan": { light: "#0b6b75", dark: "#76e3ea" },
};

/** Draws a terminal, with escape sequences for colours, as an SVG that follows the reader's colour scheme. */
export function terminalSvg(text: string, title: string): string {
  const lines = text.trimEnd().split("\n");
  const columns = Math.max(...lines.map((line) => anser.ansiToText(line).length));
  const width = Math.ceil(columns * cell.width + 2 * margin.side);
  const height = lines.length * cell.height + margin.top + margin.bottom;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title">
<title id="title">${escaped(title)}</title>
<style>
text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: var(--text); white-space: pre; }
svg { ${variables("light")} }
@media (prefers-color-scheme: dark) { svg { ${variables("dark")} } }
.bold { font-weight: 700; }
.dim { fill: var(--dim); }
${Object.keys(palette)
  .map((name) => `.${name} { fill: var(--${name}); }`)
  .join("\n")}
</style>
<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="10" style="fill: var(--page); stroke: var(--frame)"/>
${[0, 1, 2].map((dot) => `<circle cx="${22 + dot * 20}" cy="22" r="6" style="fill: var(--frame)"/>`).join("\n")}
${lines.map((line, index) => lineSvg(line, margin.top + (index + 0.5) * cell.height)).join("\n")}
</svg>
`;
}

function variables(scheme: "light" | "dark"): string {
  const page = {
    light: ["#ffffff", "#d0d7de", "#1f2328", "#59636e"],
    dark: ["#0d1117", "#3d444d", "#e6edf3", "#9198a1"],
  };
  const [background, frame, text, dim] = page[scheme];
  const colours = Object.entries(palette).map(([name, colour]) => `--${name}: ${colour[scheme]};`);
  return [`--page: ${background}; --frame: ${frame}; --text: ${text}; --dim: ${dim};`, ...colours].join(" ");
}

function lineSvg(line: string, y: number): string {
  const spans = anser
    .ansiToJson(line, { use_classes: true, remove_empty: true })
    .map(({ content, fg, decorations }) => {
      const classes = [fg, ...decorations].filter(
        (name) => name !== null && (name in palette || name === "bold" || name === "dim"),
      );
      const shown = escaped(content);
      return classes.length === 0 ? shown : `<tspan class="${classes.join(" ")}">${shown}</tspan>`;
    });
  return `<text x="${margin.side}" y="${y}">${spans.join("")}</text>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
