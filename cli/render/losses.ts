import { formatReference } from "../../core/address.ts";
import { type Action, lossesByResource, type ResourceLosses } from "../../core/plan/index.ts";
import { escapeControl } from "../../core/text.ts";
import type { Colors } from "../terminal/colors.ts";
import { code, plain } from "./markdown.ts";
import { indent, wrap } from "./text.ts";
import { title } from "./title.ts";

/** A plan that takes more than this is listed in full further below. */
const mostShown = 30;
const width = 96;

const becoming: Record<ResourceLosses["becomes"], string> = {
  deleted: "is deleted",
  replaced: "is deleted and created again",
  kept: "",
};

/** The fate of a resource: `is deleted, and for good: its data (20 GB)`. */
export function lossText({ becomes, lost }: ResourceLosses): string {
  const what = becoming[becomes];
  if (lost.length === 0) return what;
  return becomes === "kept"
    ? `loses for good: ${lost.join(", ")}`
    : `${what}, and for good: ${lost.join(", ")}`;
}

/** The losses that nobody can restore, before anything else; empty: nothing is lost for good. */
export function renderFinalLosses(actions: readonly Action[], colors: Colors): string[] {
  const final = lossesByResource(actions).filter(({ lost }) => lost.length > 0);
  if (final.length === 0) return [];
  const lines = final
    .slice(0, mostShown)
    .map(({ address, lost }) =>
      indent(wrap(escapeControl(`${title(address)}: ${lost.join(", ")}`).split(" "), width), 2),
    );
  return [[colors.red(colors.bold(lostForGood)), ...lines, ...moreThan(final, "  ")].join("\n")];
}

/** The same for a comment, as a warning, with every resource that is deleted. */
export function lossesMarkdown(actions: readonly Action[]): string[] {
  const resources = lossesByResource(actions);
  if (resources.length === 0) return [];
  const lines = resources
    .slice(0, mostShown)
    .map(
      (each) =>
        `> - ${each.address.kind.name} ${code(formatReference(each.address.names))} ${plain(lossText(each))}`,
    );
  return [["> [!CAUTION]", ...lines, ...moreThan(resources, "> - ")].join("\n")];
}

const lostForGood = "Lost for good, because nobody can restore it:";

function moreThan({ length }: readonly ResourceLosses[], mark: string): string[] {
  return length > mostShown ? [`${mark}… and ${length - mostShown} more`] : [];
}
