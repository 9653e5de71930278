import type { FieldChange } from "../../core/fields/compare.ts";
import { rewritingSigns } from "../../core/fields/rewriting.ts";
import type { Json } from "../../core/json.ts";
import type { Kind } from "../../core/kinds/index.ts";
import type { Done } from "../../core/operations/index.ts";
import { escapeControl, shorten } from "../../core/text.ts";
import type { Properties } from "./inputs.ts";
import { showMembers } from "./words.ts";
import { Secrets } from "./secrets.ts";
import { hasUnknown } from "../../core/unknown.ts";

/**
 * A warning of properties that the server may not keep as the program states them, so that every `pulumi up` changes
 * them again; none when there is no sign of that.
 */
export function doubtsAbout(kind: Kind, name: string, changes: readonly FieldChange[]): string[] {
  const doubted = changes.flatMap(({ path, unkept, after }) =>
    unkept === undefined || hasUnknown(after)
      ? []
      : [`${showMembers(kind, path)} (${rewritingSigns[unkept]})`],
  );
  if (doubted.length === 0) return [];
  return [
    escapeControl(
      `the server may not keep these properties of the ${kind.name} "${name}" as the program states them: ${doubted.join(", ")}. If every \`pulumi up\` updates them again, state the value that the server has, or use \`ignoreChanges\``,
    ),
  ];
}

/**
 * A warning of properties for which the answer of the server has other values than were sent. It shows no values for
 * secret inputs, because a changed value may still show the secret.
 */
export function unkeptBy(kind: Kind, news: Properties, unkept: Done["unkept"] = []): string[] {
  if (unkept.length === 0) return [];
  const { areNone } = new Secrets(news);
  const fields = unkept.map(({ path, sent, kept }) =>
    kept === undefined && sent !== undefined
      ? `its answer does not have ${showMembers(kind, path)}`
      : areNone
        ? `it kept ${show(kept)} instead of ${show(sent)} for ${showMembers(kind, path)}`
        : `it kept another value of ${showMembers(kind, path)}`,
  );
  return [
    escapeControl(
      `the server did not keep all values of the ${kind.name} "${String(news["name"])}": ${fields.join("; ")}. The next \`pulumi up\` will update it again; state the value that the server has, or use \`ignoreChanges\``,
    ),
  ];
}

function show(value: Json | undefined): string {
  return value === undefined ? "nothing" : shorten(JSON.stringify(value), 60);
}
