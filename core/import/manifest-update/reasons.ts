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
  const words = wordsFor(formatPath(path), reason);
  return "position" in reason ? { ...words, position: reason.position } : words;
}

function wordsFor(field: string, reason: UnacceptedReason): { message: string; advice: string } {
  switch (reason.why) {
    case "name":
      return {
        message: `it is called ${quote(reason.name)} now`,
        advice: "change the name in its document, and in the documents of its contents",
      };
    case "not_declared":
      return {
        message: `no manifest declares ${field}: its value is derived from other fields`,
        advice: "declare it, or apply the manifests",
      };
    case "defaults":
      return {
        message: `${field} comes from a document of defaults, which applies to other resources too`,
        advice: "declare the field in the document of the resource",
      };
    case "declared_below":
      return {
        message: `${field} is not live, and without this line the value of an earlier source would apply`,
        advice: "remove it from the earlier source",
      };
    case "no_file":
      return {
        message: `${field} is not declared in a file that can be changed`,
        advice: "name the files or folders with the manifests",
      };
    case "template":
      return {
        message: `${field} is in the template ${quote(reason.name)}, which other resources use too`,
        advice: "declare the field in a source that overlays this one, or change the template manually",
      };
    case "several_resources":
      return {
        message: `${field} is in a document whose address depends on ${inSentence(reason.names)}, so it stands for several resources`,
        advice: "declare the field in a source that overlays this one",
      };
    case "shared":
      return sharedBy(field, reason.by);
    case "file_for_several":
      return {
        message: `${field} is the text of ${quote(reason.file)}, which ${reason.uses} fields use`,
        advice: "put the text of this field into a file of its own",
      };
    case "secret":
      return {
        message: `${field} is not live, and infrasync cannot write its value`,
        advice: "apply the manifests, or remove it manually",
      };
    case "credential":
      return {
        message: `${field} looks like a credential, and everyone who reads the file would read it`,
        advice: "declare it under secrets, with a source, and null in its place under variables",
      };
    case "refused":
      return {
        message: `${field} cannot be taken over, because a manifest with this value is not valid: ${reason.mistake}`,
        advice: "edit the manifest, or apply it",
      };
    case "form":
      return {
        message: `${field} cannot be changed without rewriting the document`,
        advice: "change it manually",
      };
    default:
      return reason satisfies never;
  }
}

function sharedBy(field: string, by: SharedBy): { message: string; advice: string } {
  switch (by.by) {
    case "variable": {
      const one = by.names.length === 1;
      return {
        message: `${field} is written with the variable${one ? "" : "s"} ${inSentence(by.names)}`,
        advice: `give ${one ? "the variable another value" : "the variables other values"}, or write the value itself`,
      };
    }
    case "anchor":
      return {
        message: `${field} is part of the anchor &${by.name}, which other fields repeat`,
        advice: "change the anchor, or write the value in each field that differs",
      };
    case "alias":
      return {
        message: `${field} repeats the anchor &${by.name}`,
        advice: "write the value here, or change the anchor",
      };
    default:
      return by satisfies never;
  }
}
