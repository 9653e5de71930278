import {
  addressKey,
  formatAddress,
  formatReference,
  parseAddress,
  parentAddress,
  type Address,
  nameOf,
} from "../../core/model/addresses/address.ts";
import type { Fields } from "../../core/values/json.ts";
import {
  addressOf,
  layOver,
  type ManifestDocument,
  validateManifest,
} from "../../core/manifests/manifest/index.ts";
import type { Position, Problem } from "../../core/problems/problem.ts";
import { nearest } from "../../core/model/schema/suggest.ts";
import {
  assign,
  type Assignment,
  bareFields,
  divideAssignment,
  hasMistakeAt,
  readAssigned,
  withTexts,
} from "./assignments.ts";

interface FieldsSet {
  address: Address;
  fields: Fields;
  texts: string[];
}

/** Overlays the documents with `--set job:shop/production/web:source.image.tag=1.5.0`, checked like another source. */
export function setFields(
  documents: readonly ManifestDocument[],
  assignments: readonly string[],
): {
  documents: ManifestDocument[];
  /** `job:shop/production/web:source.image.tag`. */
  set: string[];
  problems: Problem[];
} {
  const problems: Problem[] = [];
  const changes = new Map<string, FieldsSet>();
  const set = assignments.flatMap((text) => {
    const read = readAssignment(text);
    if ("message" in read) {
      problems.push({ code: "argument", position: placeOf(text), ...read });
      return [];
    }
    const key = addressKey(read.address);
    const change = changes.get(key) ?? { address: read.address, fields: bareFields(), texts: [] };
    changes.set(key, change);
    assign(change.fields, read.path, read.value);
    change.texts.push(text);
    return [`${formatAddress(read.address)}:${read.path.join(".")}`];
  });
  const changed = documents.map((document) => {
    const change = changes.get(addressKey(addressOf(document)));
    if (!change) return document;
    changes.delete(addressKey(addressOf(document)));
    return overlaid(document, change, problems);
  });
  for (const { address, texts } of changes.values()) problems.push(nothingToSet(address, texts, documents));
  return { documents: changed, set, problems };
}

function readAssignment(
  text: string,
): { address: Address; path: string[]; value: Fields[string] } | { message: string; advice: string } {
  const equals = text.indexOf("=");
  const colon = text.lastIndexOf(":", equals);
  const address = parseAddress(text.slice(0, Math.max(colon, 0)));
  const { path, value } = divideAssignment(text.slice(colon + 1));
  if (equals === -1 || !address || value === undefined || path.includes(""))
    return {
      message: `--set "${fieldIn(text)}" does not name a field of a resource`,
      advice: "write ADDRESS:FIELD=VALUE, such as --set job:shop/production/web:source.image.tag=1.5.0",
    };
  if (["kind", "name", "clone", "manage", "$remove", address.kind.parentMember].includes(path[0]))
    return {
      message: `--set cannot set ${path[0]}, because it is not a field`,
      advice: "declare it in the manifest",
    };
  const read = readAssigned(value);
  return "wrong" in read
    ? { message: `--set "${fieldIn(text)}": ${read.wrong}`, advice: read.advice }
    : { address, path, value: read.value };
}

function overlaid(
  document: ManifestDocument,
  { address, fields, texts }: FieldsSet,
  problems: Problem[],
): ManifestDocument {
  const { kind } = address;
  const parent = parentAddress(address);
  const check = (declared: Fields) =>
    validateManifest({
      ...declared,
      kind: kind.name,
      name: nameOf(address),
      ...(kind.parentMember !== undefined &&
        parent && { [kind.parentMember]: formatReference(parent.names) }),
    });
  const { manifest, mistakes } = check(
    withTexts(fields, texts.map(assignmentIn), (declared, path) =>
      hasMistakeAt(path, check(declared).mistakes),
    ),
  );
  const position = (path: readonly (string | number)[]) =>
    placeOf(texts.find((text) => setsMember(text, path)) ?? texts[0] ?? "");
  for (const { path, message, advice } of mistakes)
    problems.push({ code: "invalid", message, advice, position: position(path) });
  return manifest ? layOver(document, { ...manifest, name: document.name, position }) : document;
}

/** `source.image.tag=1.5.0` of `job:shop/production/web:source.image.tag=1.5.0`, divided. */
function assignmentIn(text: string): Assignment {
  return divideAssignment(text.slice(text.lastIndexOf(":", text.indexOf("=")) + 1));
}

function setsMember(text: string, path: readonly (string | number)[]): boolean {
  const { path: own } = assignmentIn(text);
  return own.every((part, index) => String(path[index] ?? part) === part) && own[0] === String(path[0]);
}

/** The address and the field of an assignment. Another text may be a secret, and is not shown. */
function fieldIn(text: string): string {
  const equals = text.indexOf("=");
  const field = equals === -1 ? text : text.slice(0, equals);
  return parseAddress(field.slice(0, Math.max(field.lastIndexOf(":"), 0))) ? field : "…";
}

/** The argument as a place. Its value is not shown, because it may be a secret. */
function placeOf(text: string): Position {
  const shown = `--set ${fieldIn(text)}${text.includes("=") ? "=…" : ""}`;
  return { file: "command line", line: 1, column: "--set ".length + 1, text: shown };
}

function nothingToSet(
  address: Address,
  [text = ""]: readonly string[],
  documents: readonly ManifestDocument[],
): Problem {
  const near = nearest(
    formatAddress(address),
    documents.map((document) => formatAddress(addressOf(document))),
  );
  return {
    code: "argument",
    message: `--set: no document declares ${formatAddress(address)}`,
    advice: near === undefined ? "name a resource that a manifest declares" : `did you mean ${near}?`,
    position: placeOf(text),
  };
}
