import { type Redact, redactor, SHORTEST_WITH_FORMS } from "./redact.ts";

/** A shorter text also occurs in unrelated text. */
const shortestHidden = 4;

/** The token of a client, and the secrets that it sends: no message shows them. */
export class HiddenTexts {
  /** The longest text first: one text may begin another. */
  #redactors: readonly { length: number; redact: Redact }[];
  readonly #known = new Set<string>();
  /** Secrets that are too short to be found in another form. */
  readonly #short = new Set<string>();

  constructor(token: string) {
    this.#redactors = [{ length: token.length, redact: redactor(token) }];
  }

  /** Hides a text from now on. */
  hide(text: string): void {
    const { length } = text.trim();
    if (length < SHORTEST_WITH_FORMS) this.#short.add(text);
    if (length < shortestHidden || this.#known.has(text)) return;
    this.#known.add(text);
    const hidden = { length: text.length, redact: redactor(text, "[secret]") };
    this.#redactors = [...this.#redactors, hidden].toSorted((one, other) => other.length - one.length);
  }

  /** A text without those that are hidden. */
  readonly redact: Redact = (text) => this.#redactors.reduce((shown, { redact }) => redact(shown), text);

  /** Whether a body has a secret that is too short to be found in an answer: nothing of the answer may be quoted. */
  hasShort(body: unknown): boolean {
    if (this.#short.size === 0) return false;
    if (typeof body === "string") return this.#short.has(body);
    return (
      typeof body === "object" && body !== null && Object.values(body).some((each) => this.hasShort(each))
    );
  }
}
