import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { removeFolder } from "../fixtures/remove-folder.ts";

/** The programs of PostgreSQL, where Debian puts them. @throws Error when they are not there */
function programs(): string {
  const root = "/usr/lib/postgresql";
  const [newest] = (existsSync(root) ? readdirSync(root) : []).toSorted(
    (left, right) => Number(right) - Number(left),
  );
  if (newest === undefined) throw new Error("install PostgreSQL first: apt-get install postgresql");
  return join(root, newest, "bin");
}

/** Who runs PostgreSQL: it refuses the superuser. */
export function user(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const line = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .find((each) => each.startsWith("postgres:"));
  const [, , uid, gid] = (line ?? "").split(":");
  return { uid: Number(uid), gid: Number(gid) };
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address ? address.port : 0;
}

/** The real PostgreSQL, with a folder and a port of its own. */
export class Postgres {
  readonly #folder: string;
  readonly #bin = programs();
  readonly #as = user() ?? {};
  readonly port: number;
  #tls: Record<string, string> | undefined;
  #process: ChildProcess | undefined;
  /** More variables of its environment, from the next start on. */
  environment: Record<string, string> = {};

  private constructor(folder: string, port: number) {
    this.#folder = folder;
    this.port = port;
  }

  /** @param tls the certificate that it shows, in PEM; default: it speaks no TLS */
  static async start(tls?: { key: string; cert: string }): Promise<Postgres> {
    const folder = mkdtempSync(join(tmpdir(), "infrasync-postgres-"));
    const made = new Postgres(folder, await freePort());
    const as = user();
    if (as) chownSync(folder, as.uid, as.gid);
    const args = ["-D", join(folder, "data"), "-A", "trust", "-U", "infrasync", "--no-sync", "--locale=C"];
    execFileSync(join(made.#bin, "initdb"), args, { ...made.#as, cwd: folder, stdio: "ignore" });
    for (const [name, text] of Object.entries(tls ?? {})) {
      const file = join(folder, `${name}.pem`);
      writeFileSync(file, text, { mode: 0o600 });
      if (as) chownSync(file, as.uid, as.gid);
    }
    made.#tls = tls && {
      ssl: "on",
      ssl_cert_file: join(folder, "cert.pem"),
      ssl_key_file: join(folder, "key.pem"),
    };
    await made.begin();
    return made;
  }

  /** A copy that follows it, until it is promoted. */
  async copy(): Promise<Postgres> {
    const folder = mkdtempSync(join(tmpdir(), "infrasync-postgres-"));
    const made = new Postgres(folder, await freePort());
    const as = user();
    if (as) chownSync(folder, as.uid, as.gid);
    const args = [
      "-d",
      this.url,
      "-D",
      join(folder, "data"),
      "-R",
      "-X",
      "stream",
      "-c",
      "fast",
      "--no-sync",
    ];
    execFileSync(join(made.#bin, "pg_basebackup"), args, { ...made.#as, cwd: folder, stdio: "ignore" });
    await made.begin();
    return made;
  }

  get url(): string {
    return this.urlAt(this.port);
  }

  /** The URL by way of another port. */
  urlAt(port: number): string {
    return `postgres://infrasync@127.0.0.1:${port}/postgres`;
  }

  /** Starts it again, and waits until it answers. */
  async begin(): Promise<void> {
    const settings = {
      port: this.port,
      listen_addresses: "127.0.0.1",
      unix_socket_directories: this.#folder,
      fsync: "off",
      ...this.#tls,
    };
    const args = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    const start = () => {
      this.#process = spawn(join(this.#bin, "postgres"), ["-D", join(this.#folder, "data"), ...args], {
        ...this.#as,
        cwd: this.#folder,
        env: { ...process.env, ...this.environment },
        stdio: "ignore",
      });
      return this.#process;
    };
    let running = start();
    for (let tries = 0; ; tries += 1)
      try {
        await this.query("select 1");
        return;
      } catch (error) {
        if (tries > 1200) throw error;
        await new Promise((resolve) => setTimeout(resolve, 50));
        // Another program may have had the port for a moment.
        if (running.exitCode !== null && tries % 20 === 19) running = start();
      }
  }

  /** Ends it at once, as a machine that loses its power does. */
  async kill(): Promise<void> {
    const running = this.#process;
    if (!running || running.exitCode !== null || running.signalCode !== null) return;
    running.kill("SIGQUIT");
    await once(running, "exit");
  }

  async query<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    const client = new pg.Client({ connectionString: this.url });
    client.on("error", () => undefined);
    await client.connect();
    try {
      return (await client.query<Row>(text, values)).rows;
    } finally {
      await client.end();
    }
  }

  /** A backup of the tables of infrasync, as SQL. */
  backup(): string {
    const args = ["--inserts", "--schema=infrasync", this.url];
    const text = execFileSync(join(this.#bin, "pg_dump"), args, { encoding: "utf8" });
    // Commands of psql, such as \restrict.
    return text.replaceAll(/^\\.*$/gm, "");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    await removeFolder(this.#folder);
  }
}
