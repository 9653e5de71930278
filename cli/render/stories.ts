import { escapeControl } from "../../core/text.ts";
import type { AssumptionStory, StoryProgress } from "../probe/index.ts";
import type { Colors } from "../terminal/colors.ts";
import { renderTable } from "./table.ts";
import { fitted } from "./width.ts";

/** Stories that have not run: the assumption of each, and what it needs to run. */
export function renderStories(stories: readonly AssumptionStory[], colors: Colors): string {
  const rows = stories.map(({ name, requests, assumption }) => [name, String(requests), plain(assumption)]);
  return renderTable(["STORY", "REQUESTS", "ASSUMPTION"], rows, colors);
}

/** The findings of stories, one a line; below a difference, its meaning. */
export function renderFindings(
  told: readonly StoryProgress[],
  colors: Colors,
  width: number | undefined,
): string {
  const widest = Math.max(...told.map(({ story }) => story.name.length));
  const colorOf = { "as assumed": colors.green, differs: colors.red, "not known": colors.yellow };
  return told
    .flatMap(({ story, result, seen }) => [
      `${colorOf[result](result.padEnd(10))}  ${story.name.padEnd(widest)}  ${escapeControl(seen)}`,
      ...(result === "differs" ? [`${" ".repeat(12)}${plain(story.otherwise)}`] : []),
    ])
    .map((line) => fitted(line, width))
    .join("\n");
}

function plain(markdown: string): string {
  return markdown.replaceAll("`", "");
}
