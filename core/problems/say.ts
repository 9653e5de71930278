/** A part of a message that each front end phrases in its own words. */
export type Term =
  /** A field, by its path. */
  | { field: readonly string[] }
  /** Another resource, by the name of its kind; `written`: as documents write it, `Environment shop/staging`. */
  | { resource: string; written: string }
  /** Facts about documents only: other front ends leave them out. */
  | { ofDocuments: string };

/** A message as data: words that all front ends share, and terms. */
export type Message = readonly (string | Term)[];

/** A message: say`${field(path)} differs`. */
export function say(
  words: TemplateStringsArray,
  ...terms: readonly (string | number | Term | Message)[]
): Message {
  return words.flatMap((word, index): Message => {
    const term = terms[index] ?? "";
    return [word, ...(Array.isArray(term) ? term : [typeof term === "number" ? String(term) : term])];
  });
}

export function field(path: readonly string[]): Term {
  return { field: path };
}

/** The text of a message. @param phrase a term in the words of a front end; default: in those of documents */
export function textOf(message: string | Message, phrase: (term: Term) => string = inDocuments): string {
  if (typeof message === "string") return message;
  return message.map((part) => (typeof part === "string" ? part : phrase(part))).join("");
}

/** A message, in the words of documents and as data. */
export function reported(message: string | Message): { message: string; said?: Message } {
  return typeof message === "string" ? { message } : { message: textOf(message), said: message };
}

function inDocuments(term: Term): string {
  if ("field" in term) return formatPath(term.field);
  return "resource" in term ? term.written : term.ofDocuments;
}

/** The path of a field as text: `ports[8080/HTTP].publicly_accessible`. */
export function formatPath(path: readonly string[]): string {
  return path.map((part, index) => (index === 0 || part.startsWith("[") ? part : `.${part}`)).join("");
}
