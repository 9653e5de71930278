import type { SkippedItem } from "../../core/import/live/index.ts";
import type { Acceptance } from "../../core/import/manifest-update/index.ts";
import { formatAddress } from "../../core/model/addresses/address.ts";
import { outputOf } from "../../core/outputs/forms/index.ts";
import { formatPath } from "../../core/model/fields/compare.ts";
import { lineWithoutCredentials } from "../../core/redaction/credential-forms.ts";
import { withoutValue } from "../../core/source/file-problems.ts";
import { differenceOf } from "../../core/report/difference.ts";
import { escapeControl } from "../../core/values/text.ts";
import type { Colors } from "../terminal/colors.ts";
import { title, counted, indent } from "./text.ts";
import { leftOutForm } from "./skipped-items.ts";
import { lineText } from "./print.ts";
import { placeOf } from "./problems.ts";
import { adviceOf } from "./remedies.ts";

export interface ShownUpdate {
  update: Acceptance;
  added: readonly { name: string; text: string }[];
  /** The live resources that get no new file. */
  leftOut?: readonly SkippedItem[];
  /** Values of secrets that the files contain. */
  secrets: readonly string[];
}

/** The changes of an update as differences, what stays, and a summary. */
export function renderUpdate(shown: ShownUpdate, colors: Colors): string {
  const { update, added } = shown;
  const { files, accepted, kept, missing, problems } = update;
  const staying = kept.map(({ address, message, advice, position }) =>
    lines(
      `${title(address)}: ${escapeControl(message)}${position ? ` (${placeOf(position).replace(/: $/, "")})` : ""}`,
      advice,
    ),
  );
  const unread = problems.map((problem) => lines(escapeControl(problem.message), adviceOf(problem)));
  const absent = missing.map((address) =>
    lines(`${title(address)} does not exist`, "apply the manifests to create it, or remove its document"),
  );
  return [
    ...renderFiles(shown, colors),
    ...(staying.length + unread.length > 0
      ? [[colors.bold("Not changed:"), ...staying, ...unread].join("\n")]
      : []),
    ...(absent.length > 0 ? [[colors.bold("Notes:"), ...absent].join("\n")] : []),
    summary(accepted.length, files.length + update.added.length, added.length, kept.length + problems.length),
  ].join("\n\n");
}

/** Changed and new files as differences. */
export function renderFiles(
  {
    update: { files, credentials },
    added,
    secrets,
  }: Pick<ShownUpdate, "added" | "secrets"> & { update: Pick<Acceptance, "files" | "credentials"> },
  colors: Colors,
): string[] {
  const shown = (text: string) => withoutSecrets(text, [...secrets, ...credentials]);
  const changed = files.map(
    ({ name, before, after }) =>
      `${colors.bold(escapeControl(name))}\n${indent(differenceText(shown(before), shown(after), colors), 2)}`,
  );
  const fresh = added.map(
    ({ name, text }) =>
      `${colors.bold(`${escapeControl(name)} (new)`)}\n${indent(differenceText("", shown(text), colors), 2)}`,
  );
  return [...changed, ...fresh];
}

function lines(text: string, advice: string | undefined): string {
  return `  ${text}${advice === undefined ? "" : `\n    ${escapeControl(advice)}`}`;
}

function summary(fields: number, files: number, added: number, staying: number): string {
  if (fields + added + staying === 0)
    return "No file changes: the fields that the manifests declare have their live values.";
  const parts = [
    ...(fields > 0 || files > 0
      ? [
          `${counted(fields, "field")} in ${counted(files, "file")} ${fields === 1 ? "takes its live value" : "take their live values"}`,
        ]
      : []),
    ...(added > 0 ? [`${counted(added, "new file")}`] : []),
    ...(staying > 0 ? [`${staying} not changed`] : []),
  ];
  return `${parts.join("; ")}.`;
}

export function updateJson({ update, added, leftOut = [], secrets }: ShownUpdate, written: boolean) {
  const shown = (text: string) => withoutSecrets(text, [...secrets, ...update.credentials]);
  const difference = (before: string, after: string) => {
    const found = differenceOf(before, after);
    return typeof found === "string" ? found : found.map(({ text }) => text).join("\n");
  };
  return outputOf("update", {
    written,
    files: [
      ...update.files.map(({ name, before, after }) => ({
        file: name,
        new: false,
        difference: difference(shown(before), shown(after)),
      })),
      ...added.map(({ name, text }) => ({ file: name, new: true, difference: difference("", shown(text)) })),
    ],
    accepted: update.accepted.map(({ address, path }) => ({
      address: formatAddress(address),
      field: formatPath(path),
    })),
    kept: [
      ...update.kept.map(({ address, path, message, advice }) => ({
        address: formatAddress(address),
        ...(path && { field: formatPath(path) }),
        message,
        ...(advice !== undefined && { advice }),
      })),
      ...update.problems.map((problem) => ({
        ...(problem.address !== undefined && { address: problem.address }),
        message: problem.message,
        ...(adviceOf(problem) !== undefined && { advice: adviceOf(problem) }),
      })),
    ],
    missing: update.missing.map(formatAddress),
    ...(leftOut.length > 0 && { left_out: leftOut.map(leftOutForm) }),
  });
}

/** A text in which no line shows a secret. */
function withoutSecrets(text: string, secrets: readonly string[]): string {
  const parts = secrets.flatMap((secret) => secret.split("\n")).filter((part) => part !== "");
  return text
    .split("\n")
    .map((line) =>
      parts.some((part) => line.includes(part)) ? withoutValue(line) : lineWithoutCredentials(line),
    )
    .join("\n");
}

function differenceText(before: string, after: string, colors: Colors): string {
  const found = differenceOf(before, after);
  return typeof found === "string" ? found : found.map((line) => lineText(line, colors)).join("\n");
}
