/** Builds a path of encoded segments: path`/job/${jobId}/clone`. @throws TypeError for an empty value, `.`, `..`, or an invalid text */
export function path(literals: TemplateStringsArray, ...values: string[]): string {
  return literals.reduce((text, literal, index) => text + encodeSegment(values[index - 1] ?? "") + literal);
}

function encodeSegment(value: string): string {
  if (["", ".", ".."].includes(value) || !value.isWellFormed()) {
    throw new TypeError(`${JSON.stringify(value)} cannot be an id in the path of a request`);
  }
  return encodeURIComponent(value);
}

/** The path of a list without the ids, each of which follows its noun. */
export function operationOf(where: string): string {
  return where
    .split("/")
    .filter((_segment, index) => index % 2 === 1)
    .join("/");
}
