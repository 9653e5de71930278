import type { Conversion, LeftOutOfState, TerraformState } from "../../core/import/terraform/index.ts";
import { escapeControl } from "../../core/text.ts";
import { counted } from "./text.ts";

/** The resources of a state without manifests, and the advice: a text for each sort, without any value of a secret. */
export function renderConversion(
  { secrets, held, leftOut, unmanaged }: Conversion,
  { foreign }: TerraformState,
): string[] {
  const gone = leftOut.filter(({ isGone }) => isGone);
  const others = leftOut.filter(({ isGone }) => !isGone);
  return [
    ...listed(
      "Secrets to bring to the environment variables that the manifests name:",
      secrets.map(({ variable, address, field, state, attribute }) => {
        const where =
          attribute === undefined ? "the state has no value" : `in plain text in ${state}.${attribute}`;
        return `${variable}: ${field} of ${address}; ${where}`;
      }),
    ),
    ...listed(
      "Secrets that the state has in plain text too, and that no manifest needs:",
      held.map(({ state, attribute }) => `${state}.${attribute}`),
    ),
    ...listed("Not live any more:", gone.map(reason)),
    ...listed("Not in the manifests:", others.map(reason)),
    ...(unmanaged.length === 0 ? [] : [beside(unmanaged.length)]),
    ...(foreign.size === 0
      ? []
      : [
          `Left to Terraform, as resources of other providers: ${[...foreign].map(typeAndCount).join(", ")}.`,
        ]),
  ];
}

function beside(count: number): string {
  const [are, have] = count === 1 ? ["is", "has"] : ["are", "have"];
  return `${counted(count, "live resource")} beside them ${are} not in the state, and ${have} no manifest here.`;
}

function listed(heading: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [[heading, ...lines.map((line) => `  ${escapeControl(line)}`)].join("\n")];
}

function reason({ state, attribute, why, advice }: LeftOutOfState): string {
  return `${state}${attribute === undefined ? "" : `.${attribute}`}: ${why}; ${advice}`;
}

function typeAndCount([type, count]: [string, number]): string {
  return `${escapeControl(type)} (${count})`;
}
