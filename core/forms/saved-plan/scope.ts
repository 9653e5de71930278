import { addressKey, type AnyAddress } from "../../address.ts";
import { formatPath } from "../../fields/compare.ts";
import { nameKey } from "../../names.ts";
import { type Action, isChange, type Plan } from "../../plan/index.ts";

/** The keys of the addresses that a plan changes, under the names that it gives and those on the server. */
export function scopeOf({ actions }: Pick<Plan, "actions">): string[] {
  const renamed = new Map(
    actions.flatMap((action) => {
      const live = liveNameOf(action);
      return live === undefined ? [] : [[namesKey(action.address.names), live]];
    }),
  );
  const addresses = actions.filter(isChange).flatMap(({ address }) => namedBoth(address, renamed));
  return [...new Set(addresses.map(addressKey))];
}

/** The present name of the resource that an action renames. */
function liveNameOf(action: Action): string | undefined {
  if (action.liveAddress) return action.liveAddress.names.at(-1);
  const change = action.changes.find(({ path }) => formatPath(path) === "name");
  return typeof change?.before === "string" ? change.before : undefined;
}

/** The addresses with every mix of the names that a plan gives and the present ones. */
function namedBoth({ kind, names }: AnyAddress, renamed: ReadonlyMap<string, string>): AnyAddress[] {
  const mixes = names.reduce<string[][]>(
    (paths, name, level) => {
      const live = renamed.get(namesKey(names.slice(0, level + 1)));
      const both = live === undefined ? [name] : [name, live];
      return paths.flatMap((path) => both.map((each) => [...path, each]));
    },
    [[]],
  );
  return mixes.map((mix) => ({ kind, names: mix }));
}

function namesKey(names: readonly string[]): string {
  return JSON.stringify(names.map(nameKey));
}
