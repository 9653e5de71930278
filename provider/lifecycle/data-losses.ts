import { dataLossesIn } from "../../core/fields/data-losses.ts";
import type { Kind } from "../../core/kinds/index.ts";
import { escapeControl } from "../../core/text.ts";
import type { Difference } from "./diff.ts";
import { type Properties, readInputs } from "./inputs.ts";

/**
 * A warning of data that an update deletes with an element that the program no longer states; undefined when there is
 * none. Of a replacement Pulumi itself says that the resource goes.
 */
export function lossesBy(
  kind: Kind,
  { fields, replaces }: Pick<Difference, "fields" | "replaces">,
  news: Properties,
): string | undefined {
  const losses = replaces.length > 0 ? [] : dataLossesIn(kind.fields, fields);
  if (losses.length === 0) return undefined;
  const what = losses.map(({ sort, key }) => `the ${sort} ${key}`).join(", ");
  return escapeControl(
    `the update of the ${kind.name} "${readInputs(kind, news).name}" deletes ${what} with all data; nobody can restore it`,
  );
}
