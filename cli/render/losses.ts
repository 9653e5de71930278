import { formatReference } from "../../core/address.ts";
import { type Loss, wordsFor } from "../../core/loss.ts";
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

/** What becomes of a resource: `is deleted, and for good: its data (20 GB)`. */
export function lossText({ becomes, lost }: ResourceLosses): string {
  const what = becoming[becomes];
  if (lost.length === 0) return what;
  return becomes === "kept"
    ? `loses for good: ${lost.join(", ")}`
    : `${what}, and for good: ${lost.join(", ")}`;
}

/** What nobody can restore, before anything else; empty: nothing is lost for good. */
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

/** Things of one sort that an action takes: `2 variables (DB_URL, DB_USER)`. */
export interface LossGroup {
  what: string;
  names: string[];
}

/** Losses of an action under one heading. */
export interface LossList {
  /** `also deletes` */
  heading: string;
  /** What can be counted. */
  groups: LossGroup[];
  /** The rest, each in words: `its data (20 GB)`. */
  words: string[];
}

/** The losses of an action that its changes do not show, for people. */
export function lossLists(losses: readonly Loss[]): LossList[] {
  const hidden = losses.filter(({ sort, path }) => sort !== "part" || path === undefined);
  const gone = hidden.filter(({ sort }) => sort === "resource" || sort === "part" || sort === "data");
  return [
    listOf(
      "also deletes",
      gone.filter(({ described }) => !described),
    ),
    listOf(
      "also deletes and creates again",
      gone.filter(({ described }) => described),
    ),
    listOf(
      "also loses",
      hidden.filter((loss) => !gone.includes(loss) && !loss.described),
    ),
  ].filter(({ groups, words }) => groups.length + words.length > 0);
}

function listOf(heading: string, losses: readonly Loss[]): LossList {
  const countable = losses.filter(
    ({ sort, what, name }) => name !== "" && what !== "data" && sort !== "size" && sort !== "version",
  );
  const others = losses.filter((loss) => !countable.includes(loss));
  return {
    heading,
    groups: [...Map.groupBy(countable, ({ what }) => what)].map(([what, members]) => ({
      what,
      names: members.map(({ name, extent }) => (extent === undefined ? name : `${name}, ${extent}`)),
    })),
    words: others.map((loss) => wordsFor(loss)),
  };
}
