import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

const key = randomBytes(32);

/** Compares two secrets in a time that says nothing about either. */
export function isEqual(given: string | Buffer, expected: string | Buffer): boolean {
  const digest = (value: string | Buffer) => createHmac("sha256", key).update(value).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
