import type { AnyProblem } from "../../core/problems/problem.ts";
import type { Remedy, RemedySetting } from "../../core/problems/remedy.ts";
import { escapeControl } from "../../core/values/text.ts";
import type { TypedCommand } from "../terminal/typed-command.ts";

type Flag = readonly [name: string, value?: string];

const ofSettings: Partial<Record<RemedySetting, string>> = {
  max_deletes: "--max-deletes",
  max_requests: "--max-requests",
  on_quota: "--on-quota",
  targets: "--target",
};

/** The flags for what a remedy asks; none where a flag does not help. */
function flagsOf(remedy: Remedy): Flag[] {
  if ("setting" in remedy) {
    const { setting, value, file } = remedy;
    if (setting === "allow_commands") return [["--allow-commands"]];
    if (setting === "secrets_out") return [["--secrets-out", "FILE"]];
    if (setting === "auto_approve") return [["--yes"]];
    const flag = ofSettings[setting];
    return flag === undefined || value === undefined || file !== undefined ? [] : [[flag, value]];
  }
  if (!("consent" in remedy)) return [];
  switch (remedy.consent) {
    case "replace":
      return namedBy("--allow-replace", remedy.address, remedy.also);
    case "infrastructure":
      return [["--allow-infrastructure"], ...namedBy("--confirm", remedy.name, remedy.also)];
    case "prune":
      return remedy.document ? [] : [["--prune"]];
    case "policy":
      return remedy.digest === undefined ? [] : [["--expect", remedy.digest]];
    case "unprotect":
      return [];
    default:
      return remedy satisfies never;
  }
}

function namedBy(flag: string, ...names: readonly (string | undefined)[]): Flag[] {
  return names.flatMap((name) => (name === undefined ? [] : [[flag, name] as const]));
}

/** Flags whose last value counts; of all others, each value does. */
const single = new Set(["--max-deletes", "--max-requests", "--on-quota", "--expect", "--secrets-out"]);

/** Flags that change what a plan does: a digest that was approved is that of another plan. */
const reshaping = new Set(["--target", "--prune"]);

/** All flags that problems lack, as one set: raising one limit must not lower another. */
export function consentFlags(problems: readonly AnyProblem[], has: (flag: string) => boolean = () => true) {
  const desired = problems.map(({ remedies = [] }) =>
    remedies.map(flagsOf).find((flags) => flags.length > 0 && flags.every(([name]) => has(name))),
  );
  const merged = mergedFlags(desired.flatMap((flags) => flags ?? []));
  const isReshaped = merged.some(([name]) => reshaping.has(name));
  const flags = merged.filter(([name]) => name !== "--expect" || !isReshaped);
  return { flags, isAll: flags.length === merged.length && desired.every((each) => each !== undefined) };
}

function mergedFlags(flags: readonly Flag[]): Flag[] {
  const merged = new Map<string, Flag>();
  for (const [name, value] of flags) {
    const key = single.has(name) ? name : `${name} ${value}`;
    merged.set(key, value === undefined ? [name] : [name, value]);
  }
  return [...merged.values()];
}

/**
 * What a refusal says about flags below its problems: the one command line that would pass, or the flags for a part of
 * them; undefined where no flag helps.
 *
 * @param typed the command line of the run; absent: only the flags are named
 */
export function consentLine(
  problems: readonly AnyProblem[],
  typed?: TypedCommand,
): { heading: string; command: string; isAll: boolean } | undefined {
  const { flags, isAll } = consentFlags(problems, typed && ((flag) => typed.has(flag)));
  // Beside mistakes, the advice on a confirmation says enough.
  if (flags.every(([name]) => !isAll && name === "--yes")) return undefined;
  // What a saved plan may do was decided when it was made.
  const isOpen = isAll && typed && !typed.flags.some(({ name }) => name === "--plan");
  const words = isOpen ? ["infrasync", ...wordsWith(typed, flags)] : wordsOf(flags);
  const able = isAll ? "The flags that allow all of this:" : "Flags for a part of this (fix the rest first):";
  return { heading: isOpen ? "To allow all of this:" : able, command: shellLine(words), isAll };
}

/** The words of a command line with further flags; one that takes a single value gets the new one. */
function wordsWith({ name, args, flags: given }: TypedCommand, flags: readonly Flag[]): string[] {
  const stays = given.filter(
    ({ name: flag }) => !(single.has(flag) && flags.some(([other]) => other === flag)),
  );
  const before = stays.flatMap(({ name: flag, value }): Flag[] =>
    value === true ? [[flag]] : [value].flat().map((each) => [flag, String(each)] as const),
  );
  const known = new Set(before.map((flag) => flag.join(" ")));
  return [name, ...args, ...wordsOf([...before, ...flags.filter((flag) => !known.has(flag.join(" ")))])];
}

function wordsOf(flags: readonly Flag[]): string[] {
  return flags.flatMap(([name, value]) => (value === undefined ? [name] : [name, value]));
}

export function shellLine(words: readonly string[]): string {
  return escapeControl(words.map(quoted).join(" "));
}

/** An argument of a command line, in quotes where a shell needs them. */
export function quoted(text: string): string {
  return /^[\w:/.@%+,=-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
