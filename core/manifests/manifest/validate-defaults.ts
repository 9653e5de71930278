import { withKeyedEntries } from "../../model/fields/list-entries.ts";
import { withoutShortForms } from "../../model/fields/short-form.ts";
import { type Fields, isFields, type Json, own } from "../../values/json.ts";
import { type Kind, kinds, kindsInside, referenceForm } from "../../model/kinds/index.ts";
import { meantOr } from "../../model/schema/suggest.ts";
import { type DocumentMistake, type Path, quote } from "../../source/mistake.ts";
import { documentSchema } from "./document-schema.ts";
import type { Defaults } from "./document.ts";
import { formatsFor } from "./formats.ts";
import { validateManifest } from "./validate.ts";

export const defaultsKind = "Defaults";

/** Kinds that can be the scope of defaults: those with contents other than data. */
export const scopeKinds = kinds.filter((kind) => kindsInside(kind).some(({ use }) => use !== "data"));

/** The value of `for` in defaults for every kind. */
export const everyKind = "*";

/** Checks a document of defaults: its fields by the schemas of the kinds named in `for`. */
export function validateDefaults(document: Fields) {
  const scope = scopeOf(document);
  if ("message" in scope) return { defaults: undefined, mistakes: [scope] };
  const chosen = kindsFor(document, scope.kind);
  if ("message" in chosen) return { defaults: undefined, mistakes: [chosen] };
  const { kind: _kind, for: _for, [scope.kind.slug]: _scope, manage, ...fields } = document;
  const declared = without(fields, [...ofOneResource, ...around]);
  const ofMany = isFields(manage) ? without(manage, managedOfOne) : manage;
  const mistakes = [
    ...misplaced(fields, manage),
    ...nested(fields, scope.kind),
    ...foreign(declared, chosen.kinds),
    ...foreignIgnored(ofMany, chosen.kinds),
    ...chosen.kinds.flatMap((kind) =>
      chosen.only
        ? mistakesOf(kind, declared, ofMany)
        : mistakesOf(kind, fieldsOf(kind, declared), isFields(ofMany) ? managedOf(kind, ofMany) : ofMany),
    ),
  ];
  const first = [...new Map(mistakes.map((one) => [JSON.stringify(one.path), one])).values()];
  return {
    defaults:
      first.length === 0
        ? {
            scope,
            for: chosen.only,
            fields: written(chosen.kinds, fields),
            manage: (manage ?? {}) as Defaults["manage"],
          }
        : undefined,
    mistakes: first,
  };
}

function scopeOf(document: Fields): Defaults["scope"] | DocumentMistake {
  const forms = scopeKinds.map((kind) => `${kind.slug}: ${referenceForm(kind)}`).join(" or ");
  const [kind, second] = scopeKinds.filter(({ slug }) => Object.hasOwn(document, slug));
  if (!kind) return mistakeAt([], "the defaults have no scope", `add ${forms}`);
  if (second)
    return mistakeAt(
      [second.slug],
      `the defaults have two scopes, ${kind.slug} and ${second.slug}`,
      `keep one: ${forms}`,
    );
  const reference = own(document, kind.slug);
  const [inside] = kindsInside(kind);
  const mistake =
    typeof reference === "string" && inside
      ? formatsFor(inside)["parent"]?.mistake(reference)
      : { message: "is not a reference", advice: `write ${kind.slug}: ${referenceForm(kind)}` };
  return mistake
    ? mistakeAt([kind.slug], `${kind.slug}: ${quote(String(reference))} ${mistake.message}`, mistake.advice)
    : { kind, reference: String(reference) };
}

/** The kinds named in `for`; `only` is undefined for every kind. */
function kindsFor(
  document: Fields,
  scope: Kind,
): { kinds: Kind[]; only: Kind | undefined } | DocumentMistake {
  const inside = kinds.filter((kind) => isBelow(kind, scope));
  const names = inside.map(({ name }) => name);
  const desired = own(document, "for");
  if (desired === everyKind) return { kinds: inside, only: undefined };
  const only = inside.find(({ name }) => name === desired);
  if (only) return { kinds: [only], only };
  const allowed = `${names.join(", ")} or "${everyKind}"`;
  if (desired === undefined)
    return mistakeAt([], "the defaults do not name the kind to which they apply", `add for: ${allowed}`);
  return mistakeAt(
    ["for"],
    `for: ${quote(String(desired))} is not a kind inside the ${scope.name}`,
    meantOr(String(desired), names, `write ${allowed}`),
  );
}

function isBelow(kind: Kind, scope: Kind): boolean {
  return kind.parent !== undefined && (kind.parent === scope || isBelow(kind.parent, scope));
}

/** Members in which users may put the fields. */
const around = ["defaults", "fields"];

/** Reports a mapping around the fields, which belong at the top. */
function nested(fields: Fields, scope: Kind): DocumentMistake[] {
  return around
    .filter((member) => Object.hasOwn(fields, member))
    .map((member) =>
      mistakeAt(
        [member],
        `defaults have no member ${quote(member)}`,
        `write the fields themselves, beside kind, for and ${scope.slug}`,
      ),
    );
}

const ofOneResource = ["name", "clone", "$remove"];

/** The members of `manage` for the document of one resource only. */
export const managedOfOne = ["id", "renamed_from", "beside", "consent"];

const managedOfSome = new Set(["exclusive", "wave", "prune"]);

function misplaced(fields: Fields, manage: Json | undefined): DocumentMistake[] {
  const members: Path[] = [
    ...ofOneResource.filter((member) => Object.hasOwn(fields, member)).map((member) => [member]),
    ...managedOfOne
      .filter((member) => isFields(manage) && Object.hasOwn(manage, member))
      .map((member) => ["manage", member]),
  ];
  return members.map((path) => ({
    path,
    at: "key",
    message: `${path.join(".")} belongs to a single resource, and defaults apply to many`,
    advice: "write it in the document of the resource",
  }));
}

/** Reports fields that none of several kinds has. */
function foreign(fields: Fields, chosen: readonly Kind[]): DocumentMistake[] {
  if (chosen.length === 1) return [];
  const known = chosen.flatMap((kind) => Object.keys(kind.fields.properties ?? {}));
  return Object.keys(fields)
    .filter((member) => !known.includes(member))
    .map((member) => ({
      path: [member],
      at: "key",
      message: `no kind inside the scope has a field ${quote(member)}`,
      advice: meantOr(member, known, "take it out"),
    }));
}

/** Reports paths in `manage.ignore` that none of several kinds has. */
function foreignIgnored(manage: Json | undefined, chosen: readonly Kind[]): DocumentMistake[] {
  const ignore = isFields(manage) ? own(manage, "ignore") : undefined;
  if (chosen.length === 1 || !isListOfTexts(ignore)) return [];
  const known = chosen.map((kind) => formatsFor(kind)["field"]);
  return ignore.flatMap((path, index) =>
    known.some((format) => format?.rule(path))
      ? []
      : [
          {
            path: ["manage", "ignore", index],
            at: "value",
            message: `no kind inside the scope has a field ${quote(path)}`,
            advice: "name a field of one of them, or take it out",
          },
        ],
  );
}

function mistakesOf(kind: Kind, fields: Fields, manage: Json | undefined): DocumentMistake[] {
  const parent = kind.parent ? referenceForm(kind.parent) : undefined;
  return validateManifest({
    kind: kind.name,
    ...(kind.parentMember !== undefined && parent !== undefined && { [kind.parentMember]: parent }),
    name: defaultsKind,
    ...(manage !== undefined && { manage }),
    ...fields,
  }).mistakes;
}

/** Expands short entries by the schemas of any of the kinds. */
function written(chosen: readonly Kind[], fields: Fields): Fields {
  return chosen.reduce(
    (all, kind) => ({
      ...all,
      ...withKeyedEntries(kind.fields, withoutShortForms(kind.fields, fieldsOf(kind, all))),
    }),
    fields,
  );
}

export function fieldsOf(kind: Kind, fields: Fields): Fields {
  const { properties = {} } = kind.fields;
  return Object.fromEntries(Object.entries(fields).filter(([member]) => Object.hasOwn(properties, member)));
}

/** The members of `manage` that a kind has, with only its own fields in `ignore` and members in `exclusive`. */
export function managedOf(kind: Kind, manage: object): Fields {
  const { properties = {} } = documentSchema(kind).properties?.["manage"] ?? {};
  const { field } = formatsFor(kind);
  const { enum: parts = [] } = properties["exclusive"]?.items ?? {};
  const limited: Readonly<Record<string, (text: string) => boolean>> = {
    ignore: (text) => field?.rule(text) ?? false,
    exclusive: (text) => parts.includes(text),
  };
  return Object.fromEntries(
    Object.entries<Json>({ ...manage }).flatMap(([member, value]) => {
      const isWithin = limited[member];
      const isForeign = managedOfSome.has(member) && !Object.hasOwn(properties, member);
      return isForeign ? [] : [[member, isWithin && isListOfTexts(value) ? value.filter(isWithin) : value]];
    }),
  );
}

const isListOfTexts = (value: Json | undefined): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === "string");

function without(fields: Fields, members: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([member]) => !members.includes(member)));
}

function mistakeAt(path: Path, message: string, advice: string): DocumentMistake {
  return { path, at: "value", message, advice };
}
