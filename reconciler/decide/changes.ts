import Type from "typebox";
import { stringify } from "yaml";
import { isOfCommit } from "./causes.ts";
import { formatAddress, parseAnyAddress } from "../../core/model/addresses/address.ts";
import { type FieldChange, formatPath } from "../../core/model/fields/compare.ts";
import { choice, form, list, optional, text } from "../../core/outputs/forms/forms.ts";
import { type Fields, isFields, type Json, own } from "../../core/values/json.ts";
import type { Kind } from "../../core/model/kinds/index.ts";
import {
  type Action,
  allActionTypes,
  deletes as deletesResource,
  deploys,
  compares,
  isChange,
  isForGood,
  lossesByResource,
  lossesOf,
  lossLists,
  makes,
  type Plan,
  shownAction,
  updates,
} from "../../core/planning/plan/index.ts";
import { groupText } from "../../core/report/lines.ts";
import { shownValue } from "../../core/rules/credentials.ts";
import { mayBeSecret } from "../../core/model/schema/field-schema.ts";
import type { StoredForm } from "../../core/files/stored-form.ts";
import { escapeControl, firstNamed, shorten } from "../../core/values/text.ts";

/** `commit`: the change that the commit makes. `drift`: the change that somebody else has made. */
const directions = ["commit", "drift"] as const;

export const changeForm = form({
  action: choice(allActionTypes, "The planned action: of the commit, or against the drift."),
  address: text("Address of the resource, such as `job:shop/staging/migrate`."),
  cause: choice(directions, "The cause: the commit, or drift."),
  fields: optional(
    list(
      Type.String(),
      "The fields with both values: `cpu 500 -> 1000`. A field that may hold a secret has none.",
    ),
  ),
  losses: optional(list(Type.String(), "Losses that cannot be restored: `its data (20 GB)`.")),
  takes: optional(list(Type.String(), "Contents that are deleted with it: `also deletes: 1 job (report)`.")),
  by: optional(text("The last change of the resource: person, program and time.")),
  reverted_by_commit: optional(
    Type.Literal(true, {
      description:
        "Of reported drift: the next commit that changes the document of the resource reverts it too.",
    }),
  ),
  keep: optional(text("Of drift: YAML for the document that would keep the live values, if known.")),
});

/** A change of a plan, for people and programs. */
export type Change = StoredForm<typeof changeForm>;

/** Tells who has changed the resource of an action last. */
export type Attribution = (action: Action) => string | undefined;

const longestValue = 72;
const longestText = 2000;

/** @param isForCommit whether drift stays until a commit changes the same document */
export function changesOf(
  actions: readonly Action[],
  authorOf: Attribution = () => undefined,
  isForCommit = false,
): Change[] {
  return actions.filter(isChange).map((whole) => {
    const action = shownAction(whole);
    const direction: Change["cause"] = isOfCommit(action) ? "commit" : "drift";
    // A deployment follows a change, and has no author.
    const by = direction === "drift" && !deploys(action) ? authorOf(action) : undefined;
    const keep = direction === "drift" ? keepOf(whole) : undefined;
    return {
      action: action.type,
      address: formatAddress(action.address),
      cause: direction,
      ...(compares(action) && {
        fields: [
          ...new Set(action.changes.map((change) => fieldText(change, action.address.kind, direction))),
        ],
      }),
      ...lossesIn(action),
      ...takenBy(action),
      ...(by !== undefined && { by }),
      ...(isForCommit && direction === "drift" && reverts(action) && { reverted_by_commit: true as const }),
      ...(keep !== undefined && { keep }),
    };
  });
}

/** Whether a commit that changes the document of a resource also reverts its drift. */
function reverts(action: Action): boolean {
  return !deploys(action) && (makes(action) || !deletesResource(action));
}

/** The drift that the next commit reverts too, in words; undefined: none. */
export function revertedText(changes: readonly Change[]): string | undefined {
  const addresses = changes.flatMap((change) => (change.reverted_by_commit ? [change.address] : []));
  if (addresses.length === 0) return undefined;
  return `The next commit that changes the document of ${firstNamed(addresses, 3, " or ")} also reverts this drift`;
}

/** Resources with permanent losses: `orders`, by the addresses `database:shop/production/orders`. */
export function losingIn(changes: readonly Change[]): Map<string, string> {
  return new Map(
    changes.flatMap(({ address, losses }) =>
      losses ? [[address, parseAnyAddress(address).names.at(-1) ?? address] as const] : [],
    ),
  );
}

/** `delete database:shop/production/orders, loses for good: its data (20 GB)`. */
function changeText({ action, address, losses }: Change): string {
  return `${action} ${address}${losses ? `, loses for good: ${losses.join(", ")}` : ""}`;
}

const mostWritten = 20;

/** The changes of a plan for the audit log, permanent losses first. */
export function planText(changes: readonly Change[]): string {
  const inOrder = changes.toSorted((one, other) => Number(!one.losses) - Number(!other.losses));
  const rest = inOrder.length - mostWritten;
  return [...inOrder.slice(0, mostWritten).map(changeText), ...(rest > 0 ? [`and ${rest} more`] : [])].join(
    "; ",
  );
}

function lossesIn(action: Action): Pick<Change, "losses"> {
  const cause = formatAddress(action.address);
  const losses = lossesByResource([action]).flatMap(({ address, lost }) => {
    const where = formatAddress(address) === cause ? "" : ` of ${formatAddress(address)}`;
    return lost.map((each) => escapeControl(`${each}${where}`));
  });
  return losses.length === 0 ? {} : { losses };
}

function takenBy({ losses }: Action): Pick<Change, "takes"> {
  const takes = lossLists(losses.filter((loss) => !isForGood(loss))).map(
    ({ heading, groups, words }) =>
      `${heading}: ${[...groups.map(groupText), ...words.map(escapeControl)].join(", ")}`,
  );
  return takes.length === 0 ? {} : { takes };
}

function fieldText({ path, before, after }: FieldChange, kind: Kind, direction: Change["cause"]): string {
  const name = escapeControl(formatPath(path));
  const schema = own(kind.fields.properties ?? {}, path[0] ?? "");
  // Without another difference, a secret is written again only if somebody else has written it, or its source has
  // changed.
  if (path.length > 1 && path.at(-1) === "rotate" && after === true)
    return `${escapeControl(formatPath(path.slice(0, -1)))}, ${direction === "drift" ? "written by somebody else" : "written again"}`;
  if (!schema || mayBeSecret(schema)) return name;
  const [from, to] = direction === "commit" ? [before, after] : [after, before];
  return `${name} ${valueText(from)} -> ${valueText(to)}`;
}

/** The live values that an update would change, as a document declares them. */
function keepOf(action: Action): string | undefined {
  if (!updates(action)) return undefined;
  const reverted: Fields = {};
  for (const { path, before } of action.changes) {
    const schema = own(action.address.kind.fields.properties ?? {}, path[0] ?? "");
    // An element of a set is identified by its key, so a person has to find it in the document.
    const isPlain = path.every((member) => !member.startsWith("["));
    if (!schema || mayBeSecret(schema) || !isPlain) return undefined;
    // A document cannot declare the mark that replaces a credential.
    if (shownValue(action.address.kind, path, before, action.credentials) !== before) return undefined;
    place(reverted, path, nameOf(before ?? null));
  }
  const yaml = stringify(reverted).trimEnd();
  return yaml.length <= longestText ? yaml : undefined;
}

function place(fields: Fields, [member = "", ...rest]: readonly string[], value: Json): void {
  if (rest.length === 0) fields[member] = value;
  else {
    const inner = own(fields, member);
    const next: Fields = isFields(inner) ? inner : {};
    fields[member] = next;
    place(next, rest, value);
  }
}

function nameOf(value: Json): Json {
  return isFields(value) && typeof value["id"] === "string" ? (own(value, "name") ?? value["id"]) : value;
}

function valueText(value: Json | undefined): string {
  if (value === undefined || value === null) return "(none)";
  const { name } = isFields(value) ? value : {};
  const shown = name ?? value;
  return escapeControl(shorten(typeof shown === "string" ? shown : JSON.stringify(shown), longestValue));
}

/** Whether a plan loses anything, including replaced resources and variables. */
export function deletes({ actions }: Pick<Plan, "actions">): boolean {
  return lossesOf(actions).length > 0;
}
