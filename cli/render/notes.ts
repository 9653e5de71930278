import { type Address, describeAddress } from "../../core/address.ts";
import type { Note } from "../../core/plan/index.ts";
import { counted } from "./text.ts";
import { withAdvice } from "./remedies.ts";

/** A note as front ends show it. */
interface ShownNote {
  address?: Address | undefined;
  text: string;
}

/** The most resources that the line about secrets names. */
const mostNamed = 3;

/** The notes of a plan, with one line for all resources whose secrets cannot be compared; JSON has one note for each. */
export function shownNotes(notes: readonly Note[]): ShownNote[] {
  const hidden = notes.filter(({ code }) => code === "values_not_compared");
  if (hidden.length < 2) return notes.map(shown);
  const addresses = hidden.flatMap(({ address }) => address ?? []);
  const rest = addresses.length - mostNamed;
  const names = [
    ...addresses.slice(0, mostNamed).map(describeAddress),
    ...(rest > 0 ? [`${rest} more`] : []),
  ];
  const text = `the secrets of ${counted(addresses.length, "resource")} exist, and infrasync cannot compare their values: ${names.join(", ")}`;
  return [...notes.filter(({ code }) => code !== "values_not_compared").map(shown), { text }];
}

function shown(note: Note): ShownNote {
  return { address: note.address, text: withAdvice(note) };
}
