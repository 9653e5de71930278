import { placeholder } from "./credential-forms.ts";
import { type Redact, redactor } from "./redact.ts";

/** A shorter password also occurs in unrelated text. */
const shortest = 6;

/** Whether a text has letters with digits, or capitals among small letters, as passwords of a platform: it takes a request to know. */
export function mayHavePassword(text: string): boolean {
  const words = text.match(/[^\s"'=:,;@&?()[\]{}]{6,}/g) ?? [];
  return words.some((word) => /[A-Za-z]/.test(word) && (/\d/.test(word) || /[a-z][A-Z]/.test(word)));
}

/** A password that the server has shown, and what takes it out of a text, in whatever form it stands there. */
export interface RevealedPassword {
  redact: Redact;
}

/** A password that the server has shown; undefined for one that is too short to be looked for. */
export function reportedPassword(password: string): RevealedPassword | undefined {
  return password.length >= shortest && !/^\d+$/.test(password)
    ? { redact: redactor(password, placeholder) }
    : undefined;
}

/** The credentials that the server has shown. Nothing that is shown or written has them, not in base64 or escaped either. */
export class KnownCredentials {
  readonly #all: readonly (RevealedPassword & { of: string })[];

  /** @param all each with its resource: `database:shop/staging/orders` */
  constructor(all: readonly (RevealedPassword & { of: string })[]) {
    this.#all = all;
  }

  /** All that some of them have. */
  static of(each: readonly KnownCredentials[]): KnownCredentials {
    return new KnownCredentials(each.flatMap((known) => known.#all));
  }

  /** The resource whose password a text has. */
  in(text: string): string | undefined {
    return this.#all.find(({ redact }) => redact(text) !== text)?.of;
  }

  /** A text with a placeholder in the place of each. */
  redact(text: string): string {
    return this.#all.reduce((shown, { redact }) => redact(shown), text);
  }
}
