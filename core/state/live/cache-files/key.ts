import { createHmac, createSecretKey, hkdfSync, type KeyObject } from "node:crypto";

/** The key of the hashes on disk. It follows from the API token, so that nobody without it can guess values or write lists. */
export class CacheKey {
  readonly #key: KeyObject;

  /** @param token the API token */
  constructor(token: string) {
    this.#key = createSecretKey(Buffer.from(hkdfSync("sha256", token, "", "infrasync kept parts", 32)));
  }

  /** A hash of 128 bits. @param purpose the same text has another hash for another purpose */
  hash(purpose: "value" | "store" | "name", text: string): string {
    return createHmac("sha256", this.#key)
      .update(purpose)
      .update("\0")
      .update(text)
      .digest("base64url")
      .slice(0, 22);
  }
}
