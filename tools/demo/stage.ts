import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Writable } from "node:stream";
import { styleText } from "node:util";

const root = new URL("../..", import.meta.url);

/** The emulator of a demo, with its address and token. */
export interface Server {
  /** The file of `infrasync` that the demo runs. */
  program: string;
  url: string;
  token: string;
  organizationId: string;
  close(): Promise<void>;
}

/** Runs the commands of a demo, shows them as on a terminal, and checks the result of each. */
export class DemoStage {
  readonly server: Server;
  readonly #output: Writable & { isTTY?: boolean };
  readonly #variables: Record<string, string>;
  #step = 0;

  /** @param variables environment variables of the commands, beside those of the server */
  constructor(
    server: Server,
    output: Writable & { isTTY?: boolean },
    variables: Record<string, string> = {},
  ) {
    this.server = server;
    this.#output = output;
    this.#variables = variables;
  }

  /** Starts a step of the demo and prints its title. */
  title(text: string): void {
    this.#step += 1;
    this.#line(`\n${styleText("bold", `${this.#step}. ${text}`)}\n`);
  }

  /** Prints a remark about the output. */
  see(text: string): void {
    this.#line(styleText("cyan", `\n→ ${text}`));
  }

  /** Runs `infrasync` as a person would, checks its exit code, and returns its standard output. */
  async infrasync(args: readonly string[], expectedCode: number): Promise<string> {
    this.#line(styleText("dim", `$ infrasync ${args.map(quoted).join(" ")}`));
    const child = this.#spawn(args);
    let stdout = "";
    child.stdout.on("data", (chunk: Buffer) => {
      stdout += String(chunk);
      this.#output.write(chunk);
    });
    child.stderr.on("data", (chunk: Buffer) => this.#output.write(chunk));
    await once(child, "close");
    this.check(`the exit code is ${expectedCode}`, child.exitCode === expectedCode);
    return stdout;
  }

  /** Starts `infrasync` as a service, and returns its ready line, as JSON. Its log is not shown. */
  async service(
    args: readonly string[],
    variables: Record<string, string>,
  ): Promise<{ ready: unknown; stop(): Promise<void> }> {
    this.#line(styleText("dim", `$ infrasync ${args.map(quoted).join(" ")} &`));
    const child = this.#spawn(args, variables);
    let log = "";
    child.stderr.on("data", (chunk: Buffer) => {
      log += String(chunk);
    });
    const ended = once(child, "close");
    const [line] = (await Promise.race([
      once(createInterface(child.stdout), "line"),
      ended.then(() => {
        throw new Error(`step ${this.#step}: the service has ended:\n${log}`);
      }),
    ])) as [string];
    this.#line(line);
    return {
      ready: JSON.parse(line) as unknown,
      stop: async () => {
        child.kill();
        await ended;
        this.check("the service ends with 0", child.exitCode === 0);
      },
    };
  }

  /** Runs a program other than `infrasync`, shown as a person would type it. */
  run(program: string, args: readonly string[], shown?: string): void {
    if (shown !== undefined) this.#line(styleText("dim", `$ ${shown}`));
    execFileSync(program, args, { stdio: ["ignore", "ignore", "pipe"] });
  }

  /** The output of a program, without showing it. */
  read(program: string, args: readonly string[]): string {
    return execFileSync(program, args, { encoding: "utf8" }).trim();
  }

  /** Sends an API request, shown as a `curl` command. */
  async request(
    method: string,
    path: string,
    body?: object,
    shown?: object,
  ): Promise<Record<string, unknown>> {
    if (shown) this.#line(styleText("dim", `$ curl -X ${method} $URL${path} -d '${JSON.stringify(shown)}'`));
    const response = await fetch(this.server.url + path, {
      method,
      headers: { authorization: `Token ${this.server.token}`, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    this.check(`${method} ${path} succeeds`, response.ok);
    return (await response.json()) as Record<string, unknown>;
  }

  /** The elements of a list. */
  async list<Element = { id: string; name: string }>(path: string): Promise<Element[]> {
    return (await this.request("GET", path))["results"] as Element[];
  }

  async names(path: string): Promise<string[]> {
    return (await this.list(path)).map(({ name }) => name);
  }

  /** Throws if the condition is false, which ends the demo. */
  check(what: string, isSo: boolean): void {
    if (!isSo) throw new Error(`step ${this.#step}: expected: ${what}`);
  }

  #line(text: string): void {
    this.#output.write(`${text}\n`);
  }

  #spawn(args: readonly string[], variables: Record<string, string> = {}) {
    const env = {
      ...process.env,
      // The use of the cache depends on the time since the commands before.
      INFRASYNC_FRESH: "true",
      ...this.#variables,
      INFRASYNC_BASE_URL: this.server.url,
      INFRASYNC_TOKEN: this.server.token,
      ...(this.#output.isTTY && !process.env["NO_COLOR"] && { FORCE_COLOR: "1" }),
      ...variables,
    };
    const stdio: ["ignore", "pipe", "pipe"] = ["ignore", "pipe", "pipe"];
    return spawn(process.execPath, [this.server.program, ...args], { cwd: root, env, stdio });
  }
}

/** Starts the emulator on a free port, with the public command. @param program the file of `infrasync` */
export async function startEmulator(flags: readonly string[] = [], program = "cli/main.ts"): Promise<Server> {
  const child = spawn(process.execPath, [program, "emulator", "--port", "0", ...flags], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = (await once(createInterface(child.stdout), "line")) as [string];
  const { url, tokens, organization } = JSON.parse(line) as {
    url: string;
    tokens: { admin: string };
    organization: { id: string };
  };
  return {
    program,
    url,
    token: tokens.admin,
    organizationId: organization.id,
    async close() {
      child.kill();
      await once(child, "close");
    },
  };
}

function quoted(argument: string): string {
  return /^[\w@%+=:,./-]+$/.test(argument) ? argument : `'${argument}'`;
}
