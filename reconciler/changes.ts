import { formatAddress } from "../core/address.ts";
import { type FieldChange, formatPath } from "../core/fields/compare.ts";
import { isFields, type Json, own } from "../core/json.ts";
import type { Kind } from "../core/kinds/index.ts";
import type { Action, Plan } from "../core/plan/index.ts";
import { removedParts } from "../core/plan/removed-parts.ts";
import { mayBeSecret } from "../core/schema/field-schema.ts";
import { escapeControl, shorten } from "../core/text.ts";

/** A change of a plan. */
export interface Change {
  action: Action["type"];
  address: string;
  /** The fields with both values: `cpu 500 -> 1000`. A field that may hold a secret has none. */
  fields?: string[];
  /** Who has changed the resource, by what and when, as far as the organization's events say so. */
  by?: string;
}

/** Of a commit: what the plan makes of what is there. Of drift: what became of what the commit says. */
export type Direction = "commit" | "drift";

/** Says who has changed the resource of an action last. */
export type Attribution = (action: Action) => string | undefined;

/** Values up to this length are shown. */
const longestValue = 72;

/** The changes of a plan. */
export function changesOf(
  { actions }: Pick<Plan, "actions">,
  direction: Direction,
  authorOf: Attribution = () => undefined,
): Change[] {
  return actions
    .filter(({ type }) => type !== "none")
    .map((action) => {
      const by = direction === "drift" ? authorOf(action) : undefined;
      return {
        action: action.type,
        address: formatAddress(action.address),
        ...("changes" in action && {
          fields: [
            ...new Set(action.changes.map((change) => fieldText(change, action.address.kind, direction))),
          ],
        }),
        ...(by !== undefined && { by }),
      };
    });
}

function fieldText({ path, before, after }: FieldChange, kind: Kind, direction: Direction): string {
  const name = escapeControl(formatPath(path));
  const schema = own(kind.fields.properties ?? {}, path[0] ?? "");
  if (!schema || mayBeSecret(schema)) return name;
  const [from, to] = direction === "commit" ? [before, after] : [after, before];
  return `${name} ${valueText(from)} -> ${valueText(to)}`;
}

function valueText(value: Json | undefined): string {
  if (value === undefined || value === null) return "(none)";
  const { name } = isFields(value) ? value : {};
  const shown = name ?? value;
  return escapeControl(shorten(typeof shown === "string" ? shown : JSON.stringify(shown), longestValue));
}

/** Whether a plan deletes anything, and be it to create it again, or a variable. */
export function deletes({ actions }: Pick<Plan, "actions">): boolean {
  return actions.some(
    (action) => action.type === "delete" || action.type === "replace" || removedParts(action).length > 0,
  );
}
