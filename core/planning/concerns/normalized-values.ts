import { markNormalized, showsMember } from "../../model/fields/normalized-fields.ts";
import { once } from "../../values/json.ts";
import type { Kind } from "../../model/kinds/index.ts";
import type { LiveState } from "../plan/live-state.ts";
import type { Concern } from "../plan/planning.ts";

const isNew = "the server has not answered yet";

/** Changes that the server may cause by normalizing a value. */
export const normalized: Concern = {
  name: "normalized",
  programs: true,
  compare: {
    on: { nothing: isNew, source: isNew, existing: true },
    run: ({ live }, { base }, changes) =>
      base?.live
        ? markNormalized(
            base.kind.fields,
            changes,
            (path) => live.shows?.(path) ?? answersIn(live)(base.kind, path),
          )
        : changes,
  },
};

/** Whether any resource of a kind that was read has the member at a path, even as null. */
const answersIn = once(({ contents, lists }: LiveState) => {
  const known = new Map<string, boolean>();
  return (kind: Kind, path: readonly string[]): boolean => {
    const key = JSON.stringify([kind.name, path]);
    const isShown =
      known.get(key) ??
      [...contents.values(), ...lists.values()].some(({ resources }) =>
        resources.some(
          ({ kind: its, response }) =>
            its === kind && showsMember(kind.form?.inRequestForm?.(response) ?? response, path),
        ),
      );
    known.set(key, isShown);
    return isShown;
  };
});
