import { type Redact, redactor, SHORTEST_WITH_FORMS } from "./redact.ts";

/** A shorter text also occurs in unrelated text. */
const shortestHidden = 4;

/** A text that is hidden, and what takes it out of others. */
interface HiddenText {
  length: number;
  redact: Redact;
}

/** Texts that nothing shows: the credentials of a process, or the token of a client and the secrets that it sends. */
export class HiddenTexts {
  readonly #outer: HiddenTexts | undefined;
  readonly #known = new Map<string, HiddenText>();
  /** Secrets that are too short to be found in another form. */
  readonly #short = new Set<string>();
  #sorted: readonly HiddenText[] = [];
  #sortedOf = -1;

  /** @param outer texts that are hidden here too */
  constructor(outer?: HiddenTexts) {
    this.#outer = outer;
  }

  /** Hides a text from now on. */
  hide(text: string, placeholder = "[secret]"): void {
    const { length } = text.trim();
    if (length < SHORTEST_WITH_FORMS) this.#short.add(text);
    if (length >= shortestHidden && !this.#known.has(text))
      this.#known.set(text, { length, redact: redactor(text, placeholder) });
  }

  readonly redact: Redact = (text) => this.#all().reduce((shown, { redact }) => redact(shown), text);

  /** All hidden texts, the longest first: one text may begin another. */
  #all(): readonly HiddenText[] {
    const { size } = this;
    if (this.#sortedOf !== size) {
      this.#sorted = [...(this.#outer ? this.#outer.#all() : []), ...this.#known.values()].toSorted(
        (one, other) => other.length - one.length,
      );
      this.#sortedOf = size;
    }
    return this.#sorted;
  }

  get size(): number {
    return this.#known.size + (this.#outer?.size ?? 0);
  }

  /** Whether a body has a secret that is too short to be found in an answer: nothing of the answer may be quoted. */
  hasShort(body: unknown): boolean {
    if (this.#short.size === 0) return false;
    if (typeof body === "string") return this.#short.has(body);
    return (
      typeof body === "object" && body !== null && Object.values(body).some((each) => this.hasShort(each))
    );
  }
}
