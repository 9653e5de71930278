import type { Problem } from "../../../core/problem.ts";
import { parseManifest } from "../../../core/manifest/index.ts";

/** The problems of a text, as lines: where, what, and what would be right. */
export function report(text: string): string {
  return describeProblems(parseManifest(text, "x.yaml").problems);
}

/** Problems, as lines. */
export function describeProblems(problems: readonly Problem[]): string {
  return problems
    .map(({ message, advice, position }) => {
      const place = position ? `${position.line}:${position.column} ` : "";
      return `${place}${message}\n    ${advice}`;
    })
    .join("\n");
}

/** A document of a job, to which the fields are added that are under test. */
export function job(fields: string): string {
  return `kind: Job\nenvironment: shop/staging\nname: nightly\n${fields}`;
}

/** The same of an application. */
export function application(fields: string): string {
  return `kind: Application\nenvironment: shop/staging\nname: web\n${fields}`;
}
