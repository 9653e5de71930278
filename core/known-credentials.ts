import { mark } from "./credential-forms.ts";
import { type Redact, redactor } from "./redact.ts";

/** A shorter password also occurs in unrelated text. */
const shortest = 6;

/** Whether a text is long enough to have a password in it that is looked for, and no number. */
export const mayHavePassword = (text: string): boolean => text.length >= shortest && !/^\d+$/.test(text);

/** A password that the server has told, and what takes it out of a text, in whatever form it stands there. */
export interface ToldPassword {
  redact: Redact;
}

/** A password that the server has told; undefined for one that is too short to be looked for. */
export function toldPassword(password: string): ToldPassword | undefined {
  return mayHavePassword(password) ? { redact: redactor(password, mark) } : undefined;
}

/** What the server has told as credentials. Nothing that is shown or written has them, not in base64 or escaped either. */
export class KnownCredentials {
  readonly #all: readonly (ToldPassword & { of: string })[];

  /** @param all each with its resource: `database:shop/staging/orders` */
  constructor(all: readonly (ToldPassword & { of: string })[]) {
    this.#all = all;
  }

  /** All that some of them have. */
  static of(each: readonly KnownCredentials[]): KnownCredentials {
    return new KnownCredentials(each.flatMap((known) => known.#all));
  }

  /** The resource whose password a text has. */
  in(text: string): string | undefined {
    return mayHavePassword(text) ? this.#all.find(({ redact }) => redact(text) !== text)?.of : undefined;
  }

  /** A text with a mark in the place of each. */
  redact(text: string): string {
    return this.#all.reduce((shown, { redact }) => redact(shown), text);
  }
}
