/**
 * Builds a path; each value becomes exactly one encoded segment, whatever it contains.
 *
 * @throws TypeError when a value is empty, `.` or `..`, which would lead to another resource.
 * @example path`/job/${jobId}/clone`
 */
export function path(literals: TemplateStringsArray, ...values: string[]): string {
  return literals.reduce((text, literal, index) => text + encodeSegment(values[index - 1] ?? "") + literal);
}

/** The operation that a request counts towards: ids are left out, so `GET /job/{id}`. */
export function operationName(method: string, requestPath: string): string {
  return `${method} ${requestPath.replaceAll(uuid, "{id}")}`;
}

const uuid = /(?<=\/)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?=\/|$)/gi;

function encodeSegment(value: string): string {
  if (value === "" || value === "." || value === "..") {
    throw new TypeError(`${JSON.stringify(value)} cannot be an id in the path of a request`);
  }
  return encodeURIComponent(value);
}
