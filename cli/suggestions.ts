import { kindsCalled } from "../core/model/kinds/index.ts";
import table from "./suggestions.json" with { type: "json" };

/** Words of other tools, and what does it here. Only words for a deletion lead to `destroy`. */
export const commandSuggestions = Object.entries(table.commands);

interface OptionSuggestion {
  complaint: RegExp;
  /** The commands for which this is the answer; absent: all others. */
  of?: readonly string[];
  advice: string;
}

/** Complaints of the parser, each with its advice; the first that fits counts. */
export const optionSuggestions: readonly OptionSuggestion[] = [
  // Options of other tools.
  ...table.options.map(({ options, commands, advice }) => ({
    complaint: new RegExp(`^unknown option '(?:${options.replaceAll(" ", "|")})'$`),
    ...(commands !== undefined && { of: commands.split(" ") }),
    advice,
  })),
  ...Object.entries(table.complaints).map(([complaint, advice]) => ({
    complaint: new RegExp(complaint),
    advice,
  })),
];

const answers = new Map(
  commandSuggestions.flatMap(([words, answer]) => words.split(" ").map((word) => [word, answer] as const)),
);

/** The infrasync counterpart of a word of another tool; undefined for other words. */
export function commandSuggestion(name: string): string | undefined {
  const known = answers.get(name.toLowerCase());
  const [kind] = known === undefined ? kindsCalled(name) : [];
  return kind ? `infrasync list '${kind.slug}:**' lists the live resources of this kind` : known;
}

/** The infrasync command for a word of another tool; undefined unless exactly one fits. */
export function meantCommand(name: string): string | undefined {
  return /^infrasync ([a-z]+)/.exec(commandSuggestion(name) ?? "")?.[1];
}

/** The advice for a word that the parser refuses; undefined if there is none. */
export function optionSuggestion(complaint: string, command: string | undefined): string | undefined {
  return optionSuggestions.find(
    (suggestion) => suggestion.complaint.test(complaint) && (suggestion.of?.includes(command ?? "") ?? true),
  )?.advice;
}
