/** What the user should know about a step that succeeded. The JSON page of the documentation explains each. */
export const remarkCodes = [
  "already_as_planned",
  "created_by_another",
  "deleted_by_another",
  "came_with_clone",
  "adopted",
  "fields_changed",
] as const;

export type RemarkCode = (typeof remarkCodes)[number];
