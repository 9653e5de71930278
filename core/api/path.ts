/**
 * Builds a path; each value becomes exactly one encoded segment.
 *
 * @throws TypeError for an empty value, `.` or `..`, which would lead to another resource, and for an invalid text.
 * @example path`/job/${jobId}/clone`
 */
export function path(literals: TemplateStringsArray, ...values: string[]): string {
  return literals.reduce((text, literal, index) => text + encodeSegment(values[index - 1] ?? "") + literal);
}

function encodeSegment(value: string): string {
  if (["", ".", ".."].includes(value) || !value.isWellFormed()) {
    throw new TypeError(`${JSON.stringify(value)} cannot be an id in the path of a request`);
  }
  return encodeURIComponent(value);
}
