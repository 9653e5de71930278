import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdtempSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort, type Postgres, user } from "./postgres.ts";
import { removeFolder } from "../fixtures/remove-folder.ts";

const program = "/usr/sbin/pgbouncer";

/** The real PgBouncer in front of a PostgreSQL. */
export class PgBouncer {
  readonly #folder = mkdtempSync(join(tmpdir(), "infrasync-pgbouncer-"));
  readonly port: number;
  #process: ChildProcess | undefined;

  private constructor(port: number) {
    this.port = port;
  }

  static async start(
    postgres: Postgres,
    mode: "session" | "transaction" | "statement",
    more = "",
  ): Promise<PgBouncer> {
    if (!existsSync(program)) throw new Error("install PgBouncer first: apt-get install pgbouncer");
    const made = new PgBouncer(await freePort());
    const as = user();
    if (as) chownSync(made.#folder, as.uid, as.gid);
    const file = join(made.#folder, "pgbouncer.ini");
    writeFileSync(
      file,
      `[databases]
postgres = host=127.0.0.1 port=${postgres.port} dbname=postgres user=infrasync
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${made.port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = 50
${more}
`,
    );
    made.#process = spawn(program, [file], { ...as, cwd: made.#folder, stdio: "ignore" });
    for (let tries = 0; !(await answers(made.port)); tries += 1) {
      if (tries > 1200) throw new Error("PgBouncer does not answer");
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return made;
  }

  get url(): string {
    return `postgres://infrasync@127.0.0.1:${this.port}/postgres`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const running = this.#process;
    if (running && running.exitCode === null) {
      running.kill("SIGKILL");
      await once(running, "exit");
    }
    await removeFolder(this.#folder);
  }
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => void socket.destroy());
  });
}
