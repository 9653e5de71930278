import {
  describeAddress,
  formatAddress,
  formatReference,
  nameOf,
} from "../../core/model/addresses/address.ts";
import {
  type Action,
  isChange,
  lossesByResource,
  type Note,
  placeKey,
  type Plan,
  type ResourceLosses,
} from "../../core/planning/plan/index.ts";
import type { Problem } from "../../core/problems/problem.ts";
import type { ListItem, List, Losses } from "../../core/report/block.ts";
import type { TypedCommand } from "../terminal/typed-command.ts";
import { withoutRepetition } from "./problem-groups.ts";
import { consentLine } from "./consent-flags.ts";
import { placeOf } from "./problems.ts";
import { adviceOf, withAdvice } from "./remedies.ts";
import { counted, subjectOf } from "./text.ts";

/** Why a plan is refused, and the command that consents to it. @param typed the command line of the run, if it is known */
export function refusalsOf(problems: readonly Problem[], typed?: TypedCommand): List {
  const items = withoutRepetition(problems).map((problem) => ({
    text: `${placeOf(problem.position)}${problem.message}`,
    advice: adviceOf(problem),
  }));
  const heading = "infrasync will refuse to apply this plan";
  return { name: "refused", heading, tone: "bad", items, end: consentLine(problems, typed) };
}

/** The fields that the command line sets, which no reader of the manifests sees. */
export function setFieldsOf(set: readonly string[] = []): List {
  const items = set.map((text): ListItem => ({ text, isCode: true }));
  return { name: "set", heading: "Set with --set, not by a manifest", tone: "note", items };
}

/** The most resources that the line about secrets names. */
const mostNamed = 3;

/** The notes of a plan, with one line for all resources whose secrets cannot be compared; JSON has one note for each. */
export function notesOf(notes: readonly Note[]): List {
  const hidden = notes.filter(({ code }) => code === "values_not_compared");
  const isOne = hidden.length > 1;
  const shown = isOne ? notes.filter((note) => !hidden.includes(note)) : notes;
  const items = shown.map((note): ListItem => ({
    subject: note.address && subjectOf(note.address),
    text: withAdvice(note),
  }));
  return {
    name: "notes",
    heading: "Notes",
    tone: "note",
    items: isOne ? [...items, { text: notCompared(hidden) }] : items,
  };
}

function notCompared(notes: readonly Note[]): string {
  const addresses = notes.flatMap(({ address }) => address ?? []);
  const rest = addresses.length - mostNamed;
  const names = addresses.slice(0, mostNamed).map(describeAddress);
  const all = rest > 0 ? [...names, `${rest} more`] : names;
  return `the secrets of ${counted(addresses.length, "resource")} exist, and infrasync cannot compare their values: ${all.join(", ")}`;
}

/** Which services are changed in which wave, the first wave first: `wave 1 of 2 in shop/production: migrate`. */
export function wavesOf({ actions, waveOf = () => undefined }: Plan): List {
  const changed = actions.flatMap((action) => {
    const wave = waveOf(action.address);
    return isChange(action) && wave ? [{ address: action.address, wave }] : [];
  });
  const waves = Map.groupBy(changed, ({ address, wave }) => `${placeKey(address)} ${wave.number}`);
  const items = [...waves.values()]
    .toSorted(([one], [other]) => (one?.wave.number ?? 0) - (other?.wave.number ?? 0))
    .map((inside): ListItem => {
      const [first] = inside;
      const names = [...new Set(inside.map(({ address }) => nameOf(address)))];
      const where = formatReference(first?.address.names.slice(0, -1) ?? []);
      return { text: `wave ${first?.wave.number} of ${first?.wave.of} in ${where}: ${names.join(", ")}` };
    });
  return { name: "waves", heading: "Waves, in this order", tone: "plain", items };
}

/** A plan that takes more than this is listed in full further below. */
export const mostLosses = 30;

const becoming: Record<ResourceLosses["becomes"], string> = {
  deleted: "is deleted",
  replaced: "is deleted and created again",
  kept: "",
};

/** The resources that cease to exist or lose something for good. */
export function lossesOf(actions: readonly Action[]): Losses {
  return {
    heading: "Lost for good (nobody can restore this data)",
    resources: lossesByResource(actions).map(({ address, becomes, lost }) => {
      const forGood = `for good: ${lost.join(", ")}`;
      const fate = becomes === "kept" ? `loses ${forGood}` : `${becoming[becomes]}, and ${forGood}`;
      return {
        ...subjectOf(address),
        address: formatAddress(address),
        fate: lost.length === 0 ? becoming[becomes] : fate,
        lost,
      };
    }),
  };
}
