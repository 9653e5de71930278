import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { programs } from "../fixtures/programs.ts";
import type { Order, Result } from "./apply-process.ts";

/** How a process ended. */
export interface Ended {
  /** Null: by a signal. */
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A real process that waits for its input. */
export class Child {
  readonly #process: ChildProcess;
  readonly #exit: Promise<unknown>;
  readonly #output = { stdout: "", stderr: "" };

  private constructor(args: readonly string[], env: Record<string, string>) {
    this.#process = spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio: "pipe" });
    this.#exit = once(this.#process, "close");
    // A process that is killed before it has read its input breaks the pipe.
    this.#process.stdin?.on("error", () => {});
    for (const name of ["stdout", "stderr"] as const) {
      this.#process[name]?.on("data", (chunk: Buffer) => {
        this.#output[name] += String(chunk);
      });
    }
  }

  /** One that plans and applies what it is ordered to. */
  static runner(): Child {
    return new Child([programs.apply], {});
  }

  /** The command line. */
  static cli(args: readonly string[], env: Record<string, string>): Child {
    return new Child([programs.commandLine, ...args], env);
  }

  /** Gives the input; resolves when the process has ended by itself or by a signal. */
  async run(input: string): Promise<Ended> {
    this.#process.stdin?.end(input);
    await this.#exit;
    return { code: this.#process.exitCode, ...this.#output };
  }

  /** Gives an order to a runner. @throws when it fails; undefined when it was killed. */
  async order(order: Order): Promise<Result | undefined> {
    const { code, stdout, stderr } = await this.run(JSON.stringify(order));
    if (code === null) return undefined;
    if (code !== 0) throw new Error(stderr);
    return JSON.parse(stdout) as Result;
  }

  /** Ends the process at once, as `kill -9` does; resolves when it has gone. */
  async kill(): Promise<void> {
    this.#process.kill("SIGKILL");
    await this.#exit;
  }
}
