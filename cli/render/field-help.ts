import type { FieldHelp } from "../../core/manifests/manifest/index.ts";
import type { Colors } from "../terminal/colors.ts";
import { indent, wrap } from "./text.ts";

const width = 100;

/** The documentation of a kind or a field, for a terminal. */
export function renderFieldHelp(help: FieldHelp, colors: Colors): string {
  const { kind, path, description, members } = help;
  const facts = factsOf(help);
  const factWidth = Math.max(0, ...facts.map(([name]) => name.length));
  return [
    colors.bold(path === "" ? kind : `${kind}: ${path}`),
    ...(description === "" ? [] : [paragraph(description)]),
    ...(facts.length === 0
      ? []
      : ["", ...facts.map(([name, value]) => `  ${name.padEnd(factWidth)}  ${value}`)]),
    ...(members.length === 0
      ? []
      : ["", colors.bold("Fields:"), ...members.map((member) => fieldText(member, colors))]),
  ].join("\n");
}

function factsOf({
  path,
  type,
  values,
  default: fallback,
  isNeeded,
  replaces,
  reset,
  remarks,
}: FieldHelp): [string, string][] {
  const own: [string, string][] =
    path === ""
      ? []
      : [
          ["type", type],
          ...(values.length > 0 ? [["values", values.map(String).join(", ")] as [string, string]] : []),
          ...(fallback === undefined ? [] : [["default", JSON.stringify(fallback)] as [string, string]]),
          ...(isNeeded ? [["needed", "by every new resource"] as [string, string]] : []),
          ["change", replaces === undefined ? "updates the resource" : `replaces the resource: ${replaces}`],
          ["null", resets[reset]],
        ];
  return [...own, ...remarks.map((remark): [string, string] => ["note", remark])];
}

const resets: Record<FieldHelp["reset"], string> = {
  default: "gives the default",
  removes: "removes the value",
  mistake: "is a mistake",
};

function fieldText(
  { path, type, description, isNeeded }: FieldHelp["members"][number],
  colors: Colors,
): string {
  const head = `  ${colors.bold(path)}  ${type}${isNeeded ? ", needed" : ""}`;
  return description === "" ? head : `${head}\n${indent(paragraph(description, width - 6), 6)}`;
}

function paragraph(text: string, columns = width): string {
  return wrap(text.replaceAll("`", "").split(" "), columns);
}

export function fieldHelpJson(help: FieldHelp): object {
  const {
    kind,
    path,
    type,
    values,
    description,
    default: fallback,
    isNeeded,
    replaces,
    reset,
    remarks,
    members,
  } = help;
  return {
    kind,
    path,
    type,
    ...(values.length > 0 && { values }),
    description,
    ...(fallback !== undefined && { default: fallback }),
    needed: isNeeded,
    ...(replaces !== undefined && { replaces }),
    null: reset,
    remarks,
    fields: members.map(({ path: name, type: itsType, description: about, isNeeded: needed }) => ({
      name,
      type: itsType,
      description: about,
      needed,
    })),
  };
}
