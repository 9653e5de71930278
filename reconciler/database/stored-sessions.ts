import { createCipheriv, createDecipheriv, createHmac, randomBytes } from "node:crypto";
import { Connections } from "../../adapters/database/index.ts";

const cipher = "aes-256-gcm";
const lengths = { nonce: 12, tag: 16 };

/** Sessions of browsers. The database has a hash of the id of each, and the content encrypted with a key that is made of the id. */
export class StoredSessions {
  /** Not those of the locks: whoever reaches the page can have the database asked. */
  readonly #connections: Connections;

  constructor(url: string) {
    this.#connections = new Connections(url);
  }

  async find(id: string): Promise<string | undefined> {
    const [row] = await this.#connections.query<{ content: Buffer }>(
      "select content from infrasync.session where key = $1 and ends_at > now()",
      [keyOf(id)],
    );
    return row && decrypted(id, row.content);
  }

  async begin(id: string, content: string, until: Date): Promise<void> {
    await this.#connections.query(
      `with ended as (delete from infrasync.session where ends_at <= now() and key <> $1)
       insert into infrasync.session (key, content, ends_at) values ($1, $2, $3)
       on conflict (key) do update set content = excluded.content`,
      [keyOf(id), encrypted(id, content), until],
    );
  }

  async change(id: string, content: string): Promise<void> {
    await this.#connections.query("update infrasync.session set content = $2 where key = $1", [
      keyOf(id),
      encrypted(id, content),
    ]);
  }

  async end(id: string): Promise<void> {
    await this.#connections.query("delete from infrasync.session where key = $1", [keyOf(id)]);
  }

  async close(): Promise<void> {
    await this.#connections.end();
  }
}

function derived(id: string, purpose: string): Buffer {
  return createHmac("sha256", id).update(`infrasync session ${purpose}`).digest();
}

function keyOf(id: string): string {
  return derived(id, "key").toString("hex");
}

function encrypted(id: string, content: string): Buffer {
  const nonce = randomBytes(lengths.nonce);
  const encrypting = createCipheriv(cipher, derived(id, "content"), nonce);
  const body = Buffer.concat([encrypting.update(content, "utf8"), encrypting.final()]);
  return Buffer.concat([nonce, encrypting.getAuthTag(), body]);
}

/** Undefined: it is damaged. */
function decrypted(id: string, content: Buffer): string | undefined {
  const start = lengths.nonce + lengths.tag;
  try {
    const decrypting = createDecipheriv(cipher, derived(id, "content"), content.subarray(0, lengths.nonce));
    decrypting.setAuthTag(content.subarray(lengths.nonce, start));
    return Buffer.concat([decrypting.update(content.subarray(start)), decrypting.final()]).toString("utf8");
  } catch {
    return undefined;
  }
}
