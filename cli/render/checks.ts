import { escapeControl } from "../../core/values/text.ts";
import type { Colors } from "../terminal/colors.ts";
import { fitted } from "./width.ts";

export const checkNames = [
  "cache",
  "versions",
  "settings",
  "proxy",
  "server",
  "token",
  "organization",
  "quota",
  "clock",
] as const;

/** The finding of an examination about one thing. */
export interface DoctorCheck {
  name: (typeof checkNames)[number];
  /** `skipped`: another check has to succeed first. */
  status: "ok" | "warning" | "failed" | "skipped";
  message: string;
  advice?: string | undefined;
}

/** The findings of an examination, one a line; below it, the advice. */
export function renderChecks(
  checks: readonly DoctorCheck[],
  colors: Colors,
  width: number | undefined,
): string {
  const widest = Math.max(...checks.map(({ name }) => name.length));
  return checks
    .flatMap(({ name, status, message, advice }) => [
      `${paint(status, colors)(status.padEnd(7))}  ${name.padEnd(widest)}  ${escapeControl(message)}`,
      ...(advice === undefined ? [] : [`${" ".repeat(9)}${escapeControl(advice)}`]),
    ])
    .map((line) => fitted(line, width))
    .join("\n");
}

function paint(status: DoctorCheck["status"], colors: Colors): (text: string) => string {
  switch (status) {
    case "ok":
      return colors.green;
    case "failed":
      return colors.red;
    default:
      return colors.yellow;
  }
}
