import { addressKey, formatAddress } from "../../core/model/addresses/address.ts";
import { formatPath } from "../../core/model/fields/compare.ts";
import { type Action, compares } from "../../core/planning/plan/index.ts";
import Type from "typebox";
import { form, optional } from "../../core/outputs/forms/forms.ts";
import type { StoredForm } from "../../core/files/stored-form.ts";
import type { Digests } from "./causes.ts";

/** Somebody else sets a field again and again; the reconciler waits before it reverts that. */
export interface DriftLoop {
  address: string;
  fields: string[];
  /** When it is reverted again, such as `2026-12-01T08:00:00.000Z`. */
  until: string;
}

/** The reverts of a field. Times are milliseconds since 1970. */
export const undoneForm = form({
  /** The key of the address of its resource. */
  owner: Type.String(),
  /** The digest of the document that was restored: another one resets the count. */
  document: Type.String(),
  times: Type.Array(Type.Number()),
  /** Milliseconds from the last revert to the next one; absent: no wait. */
  pause: optional(Type.Number()),
});

export type Undone = StoredForm<typeof undoneForm>;

const day = 86_400_000;
/** The reverts of a field in a day without a pause. */
const beforePause = 3;
const firstPause = 300_000;
const longestPause = 21_600_000;

/** The fields that an action reverts, by stable names; an action on the whole resource is named by its type. */
function fieldsOf(action: Action): { key: string; field: string }[] {
  const address = formatAddress(action.address);
  const fields = compares(action) ? action.changes.map(({ path }) => formatPath(path)) : [`(${action.type})`];
  return [...new Set(fields)].map((field) => ({ key: `${address} ${field}`, field }));
}

/** The pause before drift is reverted again; undefined: none. @param now milliseconds since 1970 */
export function driftLoopOver(
  action: Action,
  undone: Readonly<Record<string, Undone>>,
  now: number,
): DriftLoop | undefined {
  const paused = fieldsOf(action).flatMap(({ key, field }) => {
    const { times = [], pause = 0 } = undone[key] ?? {};
    const until = (times.at(-1) ?? 0) + pause;
    return until > now ? [{ field, until }] : [];
  });
  if (paused.length === 0) return undefined;
  return {
    address: formatAddress(action.address),
    fields: paused.map(({ field }) => field),
    until: new Date(Math.max(...paused.map(({ until }) => until))).toISOString(),
  };
}

/** The reverts to the present documents; those to earlier documents no longer count. */
export function undoneTo(
  undone: Readonly<Record<string, Undone>>,
  documents: Digests,
): Readonly<Record<string, Undone>> {
  return Object.fromEntries(
    Object.entries(undone).filter(([, { owner, document }]) => document === digestOf(owner, documents)),
  );
}

/** Counts new reverts, and removes those that are older than a day. */
export function withUndone(
  undone: Readonly<Record<string, Undone>>,
  actions: readonly Action[],
  documents: Digests,
  now: number,
): Record<string, Undone> {
  const isRecent = (time: number) => time > now - day && time <= now;
  const known = Object.entries(undoneTo(undone, documents));
  const result = Object.fromEntries(known.filter(([, { times }]) => times.some(isRecent)));
  for (const action of actions) {
    const owner = addressKey(action.address);
    const document = digestOf(owner, documents);
    for (const { key } of fieldsOf(action)) {
      const before = result[key];
      const times = [...(before?.times ?? []).filter(isRecent), now];
      const next = before?.pause === undefined ? firstPause : Math.min(before.pause * 2, longestPause);
      result[key] = { owner, document, times, ...(times.length >= beforePause && { pause: next }) };
    }
  }
  return result;
}

function digestOf(owner: string, documents: Digests): string {
  return documents.get(owner)?.digest ?? "";
}
