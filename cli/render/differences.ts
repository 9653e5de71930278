import { describeAddress, formatReference } from "../../core/model/addresses/address.ts";
import type { ResourceDifferences, ResourceDifference } from "../../core/outputs/show/index.ts";
import { escapeControl } from "../../core/values/text.ts";
import type { Colors } from "../terminal/colors.ts";
import { changedFields } from "./fields.ts";
import { detailText } from "./print.ts";
import { indent } from "./text.ts";

/** The differences of two environments or resources: `~` with the fields, `-` and `+` for resources on one side only. */
export function renderDifferences(
  { differences, same }: ResourceDifferences,
  [first, second]: readonly [string, string],
  colors: Colors,
): string {
  const only = (side: string) => `only in ${escapeControl(side)}`;
  const blocks = differences.map((difference) => {
    if (!difference.second) return `${colors.red("-")} ${titleOf(difference)}  ${only(first)}`;
    if (!difference.first) return `${colors.green("+")} ${titleOf(difference)}  ${only(second)}`;
    const fields = changedFields(difference.kind.fields, difference.changes);
    const lines = fields.flatMap((detail) => detailText(detail, colors));
    return [`${colors.yellow("~")} ${titleOf(difference)}`, ...lines].join("\n");
  });
  const missing = (side: "first" | "second") => differences.filter((each) => !each[side]).length;
  const differing = differences.filter((each) => each.first && each.second).length;
  const counts = [
    `${differing} ${differing === 1 ? "differs" : "differ"}`,
    `${missing("second")} ${only(first)}`,
    `${missing("first")} ${only(second)}`,
    `${same} the same`,
  ].filter((text, index) => index === 0 || !text.startsWith("0 "));
  return [
    ...(blocks.length === 0
      ? []
      : [
          `${escapeControl(first)} -> ${escapeControl(second)}:`,
          blocks.map((block) => indent(block, 2)).join("\n"),
        ]),
    `${counts.join(", ")}.`,
  ].join("\n\n");
}

/** `Job report`, where both sides call it that; else the name on the one side that has it. */
function titleOf({ kind, name, first, second }: ResourceDifference): string {
  if (name !== "") return escapeControl(`${kind.name} ${name}`);
  const [one, other] = [first, second].map((address) => address && formatReference(address.names));
  if (one !== undefined && other !== undefined && one !== other)
    return escapeControl(`${kind.name} ${one} -> ${other}`);
  const address = first ?? second;
  return address ? escapeControl(describeAddress(address)) : kind.name;
}
