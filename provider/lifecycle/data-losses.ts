import { lostBy } from "../../core/fields/losses.ts";
import { wordsFor } from "../../core/loss.ts";
import type { Kind } from "../../core/kinds/index.ts";
import { escapeControl } from "../../core/text.ts";
import type { Difference } from "./diff.ts";
import { type Properties, readInputs } from "./inputs.ts";

/**
 * A warning of data and secrets that an update takes for good; undefined when there are none. Of a replacement Pulumi itself says that the resource goes.
 */
export function lossesBy(
  kind: Kind,
  { fields, replaces }: Pick<Difference, "fields" | "replaces">,
  news: Properties,
): string | undefined {
  const losses = replaces.length > 0 ? [] : lostBy(kind.fields, fields);
  if (losses.length === 0) return undefined;
  const what = losses.map(({ key, ...loss }) => wordsFor({ ...loss, name: key })).join(", ");
  return escapeControl(
    `the update of the ${kind.name} "${readInputs(kind, news).name}" loses ${what}; nobody can restore that`,
  );
}
