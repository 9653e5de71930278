import { formatReference } from "../../core/model/addresses/address.ts";
import { escapeControl } from "../../core/values/text.ts";
import type { PreviewLinks } from "./operations.ts";

/** The label of the comments of an owner: two of them may make previews of one pull request in different projects. */
export function commentNameOf(owner: string): string {
  return `infrasync preview of ${owner}`;
}

/** The memory of a comment: the commit of the deployed preview, or the last commit of an ended one. */
export interface CommentMemory {
  deployed?: string;
  ended?: string;
}

/** The memory of a comment, hidden in its text. */
export function memoryIn(body: string): CommentMemory {
  const [, what, commit = ""] = /<!-- (deployed|ended) ([0-9a-f]{7,64}) -->/.exec(body) ?? [];
  return what === "deployed" ? { deployed: commit } : what === "ended" ? { ended: commit } : {};
}

/** The comment on a preview that is there. @param ends `2026-11-25T10:35:00Z` */
export function previewText(
  names: readonly string[],
  commit: string,
  links: readonly PreviewLinks[],
  ends: string | undefined,
): string {
  const rows = links.flatMap(({ name, urls }) => urls.map((url) => `- ${code(name)}: <${encodeURI(url)}>`));
  return [
    `<!-- deployed ${commit} -->`,
    `### Preview ${code(formatReference(names))}`,
    rows.length > 0 ? rows.join("\n") : "None of its services can be reached from outside.",
    `<sub>Deployed for ${commit}${ends === undefined ? "" : `; ends at ${ends}`}.</sub>`,
  ].join("\n\n");
}

/** The comment on a preview whose time is over. */
export function endedText(names: readonly string[], commit: string): string {
  return [
    `<!-- ended ${commit} -->`,
    `### Preview ${code(formatReference(names))}`,
    "The preview has expired and was deleted. The next commit creates a new one.",
  ].join("\n\n");
}

/** The comment on a preview that could not be made. */
export function failedText(names: readonly string[], reason: string): string {
  return [
    `### Preview ${code(formatReference(names))}`,
    "The preview is missing or out of date:",
    `    ${escapeControl(reason).slice(0, 500)}`,
  ].join("\n\n");
}

/** A name as code; what could end the code is left out. */
function code(text: string): string {
  return `\`${escapeControl(text).replaceAll(/[`<>]/g, "")}\``;
}
