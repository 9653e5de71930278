import type { AnyAddress } from "../address.ts";
import type { Action } from "./action.ts";
import { lossesOf, ownName } from "./caused-losses.ts";
import { isForGood, type Loss, subjectOf, wordsFor } from "../loss.ts";

/** What becomes of a resource that a plan deletes, or from which it takes something for good. */
export interface Fate {
  id: string;
  address: AnyAddress;
  /** `replaced`: deleted and created again. `kept`: only what `lost` says goes. */
  fate: "deleted" | "replaced" | "kept";
  /** What nobody can restore, in words: `its data (20 GB)`, `2 secrets (A, B)`. */
  lost: string[];
}

/** All resources that actions delete, or from which they take something for good, in the order of the actions. */
export function fatesOf(actions: readonly Action[]): Fate[] {
  const bySubject = Map.groupBy(lossesOf(actions), ({ loss }) => subjectOf(loss)?.id ?? "");
  return [...bySubject].flatMap(([id, caused]): Fate[] => {
    const [first] = caused;
    const subject = first && subjectOf(first.loss);
    if (!first || !subject) return [];
    const whole = caused.filter(({ loss }) => loss.sort === "resource");
    const isReplaced = whole.some(({ loss }) => loss.described);
    const fate = whole.length === 0 ? "kept" : isReplaced ? "replaced" : "deleted";
    const final = caused
      .filter(({ loss }) => loss.sort !== "resource" && isForGood(loss))
      .map((each) => ({ ...each.loss, name: ownName(each) }));
    // A backup is data as a whole.
    const itself = whole.some(({ loss }) => !loss.restorable) ? ["all of it"] : [];
    if (fate === "kept" && final.length === 0) return [];
    return [{ id, address: subject.address, fate, lost: [...itself, ...wordsForAll(final)] }];
  });
}

/** Losses of one resource in words, those of one sort together: `2 secrets (A, B)`. */
export function wordsForAll(losses: readonly Loss[]): string[] {
  const groups = Map.groupBy(losses, ({ sort, what, name }) => `${sort} ${what} ${name === ""}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first || group.length === 1 || (first.sort !== "part" && first.sort !== "value"))
      return group.map((loss) => wordsFor(loss));
    return [`${group.length} ${first.what}s (${group.map(({ name }) => name).join(", ")})`];
  });
}
