import type { FieldChange } from "../../core/fields/compare.ts";
import { rewritingSigns } from "../../core/fields/rewriting.ts";
import { markUnkept } from "../../core/fields/unkept.ts";
import { isFields, type Json, own, sameJson } from "../../core/json.ts";
import type { Kind } from "../../core/kinds/index.ts";
import type { Done } from "../../core/operations/index.ts";
import { escapeControl, shorten } from "../../core/text.ts";
import type { Properties } from "./inputs.ts";
import { recall } from "./outputs.ts";
import { showMembers } from "./words.ts";
import { Secrets } from "./secrets.ts";
import { hasUnknown } from "./unknown.ts";

/**
 * A warning of properties that the server may not keep as the program states them, so that every `pulumi up` changes
 * them again; undefined when there is no sign of that.
 */
export function doubtsAbout(
  kind: Kind,
  olds: Properties,
  { name }: Properties,
  planned: readonly FieldChange[],
): string | undefined {
  const memory = recall(olds);
  const changes = planned.filter(({ after }) => !hasUnknown(after));
  // A property that the last program stated has been sent, and outputs contain it if the server shows it.
  const isShown = (path: readonly string[]): boolean =>
    !hasMember(memory.shape, path) ||
    changes.some((change) => sameJson(change.path, [...path]) && change.before !== undefined);
  const doubted = markUnkept(kind.fields, changes, isShown).flatMap(({ path, unkept }) =>
    unkept === undefined ? [] : [`${showMembers(path)} (${rewritingSigns[unkept]})`],
  );
  if (doubted.length === 0) return undefined;
  return escapeControl(
    `the server may not keep these properties of the ${kind.name} "${String(name)}" as the program states them: ${doubted.join(", ")}. If every \`pulumi up\` updates them again, state the value that the server has, or use \`ignoreChanges\``,
  );
}

/**
 * A warning of properties for which the answer of the server has other values than were sent. It shows no values for
 * secret inputs, because a changed value may still show the secret.
 */
export function unkeptBy(kind: Kind, news: Properties, unkept: Done["unkept"] = []): string | undefined {
  if (unkept.length === 0) return undefined;
  const { areNone } = new Secrets(news);
  const fields = unkept.map(({ path, sent, kept }) =>
    kept === undefined && sent !== undefined
      ? `its answer does not have ${showMembers(path)}`
      : areNone
        ? `it kept ${show(kept)} instead of ${show(sent)} for ${showMembers(path)}`
        : `it kept another value of ${showMembers(path)}`,
  );
  return escapeControl(
    `the server did not keep all values of the ${kind.name} "${String(news["name"])}": ${fields.join("; ")}. The next \`pulumi up\` will update it again; state the value that the server has, or use \`ignoreChanges\``,
  );
}

function hasMember(shape: Json, [member, ...inside]: readonly string[]): boolean {
  if (member === undefined) return true;
  if (member.startsWith("["))
    return Array.isArray(shape) && shape.some((element) => hasMember(element, inside));
  const value = isFields(shape) ? own(shape, member) : undefined;
  return value !== undefined && (value === true ? inside.length === 0 : hasMember(value, inside));
}

function show(value: Json | undefined): string {
  return value === undefined ? "nothing" : shorten(JSON.stringify(value), 60);
}
