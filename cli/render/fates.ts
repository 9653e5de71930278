import type { Action } from "../../core/plan/action.ts";
import { type Fate, fatesOf } from "../../core/plan/fates.ts";
import { escapeControl } from "../../core/text.ts";
import type { Colors } from "../terminal/colors.ts";
import { code, plain } from "./markdown.ts";
import { formatReference } from "../../core/address.ts";
import { indent, wrap } from "./text.ts";
import { title } from "./title.ts";

/** A plan that takes more than this is told in full further below. */
const mostFates = 30;
const width = 96;

const words: Record<Fate["fate"], string> = {
  deleted: "is deleted",
  replaced: "is deleted and created again",
  kept: "",
};

/** What becomes of a resource: `is deleted, and for good: its data (20 GB)`. */
export function fateText({ fate, lost }: Fate): string {
  const what = words[fate];
  if (lost.length === 0) return what;
  return fate === "kept" ? `loses for good: ${lost.join(", ")}` : `${what}, and for good: ${lost.join(", ")}`;
}

/** What nobody can restore, before anything else; empty: nothing is lost for good. */
export function renderFates(actions: readonly Action[], colors: Colors): string[] {
  const final = fatesOf(actions).filter(({ lost }) => lost.length > 0);
  if (final.length === 0) return [];
  const lines = final
    .slice(0, mostFates)
    .map(({ address, lost }) =>
      indent(wrap(escapeControl(`${title(address)}: ${lost.join(", ")}`).split(" "), width), 2),
    );
  return [[colors.red(colors.bold(heading)), ...lines, ...moreThan(final, "  ")].join("\n")];
}

/** The same for a comment, as a warning, with every resource that is deleted. */
export function fatesMarkdown(actions: readonly Action[]): string[] {
  const fates = fatesOf(actions);
  if (fates.length === 0) return [];
  const lines = fates
    .slice(0, mostFates)
    .map(
      (each) =>
        `> - ${each.address.kind.name} ${code(formatReference(each.address.names))} ${plain(fateText(each))}`,
    );
  return [["> [!CAUTION]", ...lines, ...moreThan(fates, "> - ")].join("\n")];
}

const heading = "Lost for good, because nobody can restore it:";

function moreThan({ length }: readonly Fate[], mark: string): string[] {
  return length > mostFates ? [`${mark}… and ${length - mostFates} more`] : [];
}
