import { inSentence } from "../../../values/text.ts";
import { type AnyAddress, formatAddress } from "../../../model/addresses/address.ts";
import { formatPath } from "../../../model/fields/compare.ts";
import { stableJson } from "../../../values/json.ts";
import type { LiveValues } from "../../../state/live/index.ts";
import { adds, deletes, factsOf, isChange, type Note, type Plan } from "../../../planning/plan/index.ts";
import type { Problem } from "../../../problems/problem.ts";
import type { ActionForm, AnyActionForm } from "../action-form.ts";
import { essenceOfForm, staleBecause, staleProblem } from "../digest.ts";
import { encodePlan } from "../encode-plan.ts";
import type { SavedPlan } from "./file.ts";
import { statesOf } from "./states.ts";

/** The differences between the saved plan and one made now, in actions or in live state: a problem for each resource. */
export function staleProblems(
  { plan, states, actionsDigest }: SavedPlan,
  now: Plan,
  known: LiveValues,
): Problem[] {
  const stale = staleProblem(actionsDigest, now);
  const statesNow = statesOf(now, known);
  const before = byAddress(plan.actions);
  const after = byAddress(encodePlan(now).actions);
  const problems = [...new Set([...before.keys(), ...after.keys()])].flatMap((address): Problem[] => {
    const [planned = [], present = []] = [before.get(address), after.get(address)];
    const what =
      (stale && difference(planned, present, noteAbout(address, now))) ??
      (states[address] === statesNow[address] ? undefined : ", or something in it, has been changed since");
    if (what === undefined) return [];
    return [{ ...staleBecause(`${address}${what}`), address }];
  });
  return problems.length > 0 ? problems : [stale ?? []].flat();
}

/** The changes of a plan by address, which several resources can share. */
function byAddress(actions: readonly ActionForm[]): Map<string, ActionForm[]> {
  return Map.groupBy(actions.filter(isChange), ({ address }) => address);
}

function noteAbout(address: string, { notes }: Plan): Note | undefined {
  const isIt = (noted: AnyAddress | undefined) => noted && formatAddress(noted) === address;
  return notes.find((note) => isIt(note.address));
}

function difference(
  before: readonly ActionForm[],
  after: readonly ActionForm[],
  note: Note | undefined,
): string | undefined {
  const essence = (actions: readonly ActionForm[]) =>
    stableJson(actions.map((action) => stableJson(essenceOfForm(action))).toSorted());
  if (essence(before) === essence(after)) return undefined;
  const [planned, present] = [before, after].map((actions) =>
    inSentence(actions.map((action) => factsOf(action).past)),
  );
  if (before.length === 0) return ` would be ${present} now too`;
  if (before.some(adds) && !after.some(adds)) return " has appeared since";
  if (after.some(adds) && !before.some(adds)) return " has disappeared since";
  if (after.length === 0 && before.some(deletes))
    return note
      ? ` would not be ${planned} any more: ${note.message}`
      : ` has disappeared since, or would not be ${planned} any more`;
  if (after.length === 0) return ` has changed since: it would not be ${planned} any more`;
  if (planned !== present) return ` has changed since: it would be ${present} now`;
  const fields = [...newOf(before, after, changesOf), ...newOf(after, before, changesOf)];
  const lost = newOf(before, after, lossesOf);
  const more = [...new Set(fields), ...(lost.length > 0 ? [`it would lose ${lost.join(", ")}`] : [])];
  return ` would be ${planned} differently now${more.length > 0 ? `: ${more.join("; ")}` : ""}`;
}

interface Effect {
  name: string;
  text: string;
}

function newOf(
  before: readonly AnyActionForm[],
  after: readonly AnyActionForm[],
  effectsOf: (action: AnyActionForm) => Effect[],
): string[] {
  const known = before.flatMap(effectsOf);
  return after
    .flatMap(effectsOf)
    .filter(({ text }) => known.every((effect) => effect.text !== text))
    .map(({ name }) =>
      known.some((effect) => effect.name === name) ? name.replace(/^the /, "another ") : name,
    );
}

function changesOf({ changes = [] }: AnyActionForm): Effect[] {
  return changes.map((change) => ({ name: formatPath(change.path), text: textOf(change) }));
}

function lossesOf({ losses = [] }: AnyActionForm): Effect[] {
  return losses.map((loss) => ({ name: loss.words, text: textOf(loss) }));
}

function textOf(effect: object): string {
  return stableJson(JSON.parse(JSON.stringify(effect)));
}
