import { inSentence } from "../../values/text.ts";
import type { SharedBy } from "./edit/index.ts";
import { formatPath } from "../../model/fields/compare.ts";
import type { Position } from "../../problems/problem.ts";
import { quote } from "../../source/mistake.ts";

/** Why a field does not take over its live value. */
export type UnacceptedReason =
  | { why: "name"; name: string }
  | { why: "not_declared" }
  | { why: "defaults"; position: Position }
  | { why: "declared_below"; position: Position }
  | { why: "no_file"; position: Position }
  | { why: "template"; name: string; position: Position }
  | { why: "several_resources"; names: readonly string[]; position: Position }
  | { why: "shared"; by: SharedBy; position: Position }
  | { why: "file_for_several"; file: string; uses: number }
  | { why: "secret" }
  | { why: "credential" }
  | { why: "refused"; mistake: string; position: Position }
  | { why: "form"; position: Position };

export function whyUnchanged(
  path: readonly string[],
  reason: UnacceptedReason,
): { message: string; advice: string; position?: Position } {
  const wordsOf = words[reason.why] as (field: string, reason: UnacceptedReason) => [string, string];
  const [message, advice] = wordsOf(formatPath(path), reason);
  return { message, advice, ...("position" in reason && { position: reason.position }) };
}

const words: {
  [Why in UnacceptedReason["why"]]: (
    field: string,
    reason: Extract<UnacceptedReason, { why: Why }>,
  ) => [string, string];
} = {
  name: (_field, { name }) => [
    `it is called ${quote(name)} now`,
    "change the name in its document, and in the documents of its contents",
  ],
  not_declared: (field) => [
    `no manifest declares ${field}: its value is derived from other fields`,
    "declare it, or apply the manifests",
  ],
  defaults: (field) => [
    `${field} comes from a document of defaults, which applies to other resources too`,
    "declare the field in the document of the resource",
  ],
  declared_below: (field) => [
    `${field} is not live, and without this line the value of an earlier source would apply`,
    "remove it from the earlier source",
  ],
  no_file: (field) => [
    `${field} is not declared in a file that can be changed`,
    "name the files or folders with the manifests",
  ],
  template: (field, { name }) => [
    `${field} is in the template ${quote(name)}, which other resources use too`,
    "declare the field in a source that overlays this one, or change the template manually",
  ],
  several_resources: (field, { names }) => [
    `${field} is in a document whose address depends on ${inSentence(names)}, so it stands for several resources`,
    "declare the field in a source that overlays this one",
  ],
  shared: (field, { by }) => sharedBy(field, by),
  file_for_several: (field, { file, uses }) => [
    `${field} is the text of ${quote(file)}, which ${uses} fields use`,
    "put the text of this field into a file of its own",
  ],
  secret: (field) => [
    `${field} is not live, and infrasync cannot write its value`,
    "apply the manifests, or remove it manually",
  ],
  credential: (field) => [
    `${field} looks like a credential, and everyone who reads the file would read it`,
    "declare it under secrets, with a source, and null in its place under variables",
  ],
  refused: (field, { mistake }) => [
    `${field} cannot be taken over, because a manifest with this value is not valid: ${mistake}`,
    "edit the manifest, or apply it",
  ],
  form: (field) => [`${field} cannot be changed without rewriting the document`, "change it manually"],
};

function sharedBy(field: string, by: SharedBy): [message: string, advice: string] {
  switch (by.by) {
    case "variable": {
      const one = by.names.length === 1;
      return [
        `${field} is written with the variable${one ? "" : "s"} ${inSentence(by.names)}`,
        `give ${one ? "the variable another value" : "the variables other values"}, or write the value itself`,
      ];
    }
    case "anchor":
      return [
        `${field} is part of the anchor &${by.name}, which other fields repeat`,
        "change the anchor, or write the value in each field that differs",
      ];
    case "alias":
      return [`${field} repeats the anchor &${by.name}`, "write the value here, or change the anchor"];
    default:
      return by satisfies never;
  }
}
