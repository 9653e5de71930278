import type { RemarkCode } from "../../core/operations/remark.ts";

/** Remarks on actions that are done, in the words of reports. */
export const remarkTexts: Record<RemarkCode, string> = {
  already_as_planned: "already as planned",
  created_by_another: "created by somebody else since the plan was made",
  deleted_by_another: "deleted by somebody else since the plan was made",
  came_with_clone: "created by the clone of its parent",
  adopted: "adopted after an unclear answer",
  fields_changed: "this run has changed the fields that differed",
};

/** All remarks in one sentence; undefined where there is none. */
export function remarksText(codes: readonly RemarkCode[] = []): string | undefined {
  return codes.length === 0 ? undefined : codes.map((code) => remarkTexts[code]).join("; ");
}
