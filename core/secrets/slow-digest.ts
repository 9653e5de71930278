import { hash, scrypt, type ScryptOptions } from "node:crypto";
import { promisify } from "node:util";

const derive = promisify<string, string, number, ScryptOptions, Buffer>(scrypt);
const mostCached = 10_000;
/** What this process has computed last, by a fast digest: each costs some ten milliseconds. */
const computed = new Map<string, Promise<Buffer>>();

/** A digest of a value that may be stored: whoever has it can hardly try out values. */
export async function slowDigest(value: string, salt: string): Promise<string> {
  const key = hash("sha256", JSON.stringify([salt, value]));
  const digest = computed.get(key) ?? derive(value, salt, 16, { cost: 4096 });
  computed.delete(key);
  computed.set(key, digest);
  const [oldest = ""] = computed.size > mostCached ? computed.keys() : [];
  computed.delete(oldest);
  return (await digest).toString("base64url");
}
