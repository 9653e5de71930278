import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { compileCache, programs } from "../fixtures/programs.ts";
import type { Line, Order, Result } from "./apply-process.ts";
import type { Listed } from "./belongings.ts";

/** The end of a process. */
export interface Ended {
  /** Null when a signal ended the process. */
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A real process that waits for its input. */
export class Child {
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #exit: Promise<unknown>;
  readonly #output = { stdout: "", stderr: "" };

  private constructor(args: readonly string[], env: Record<string, string>) {
    this.#process = spawn(process.execPath, args, {
      env: { ...process.env, ...compileCache, ...env },
      stdio: "pipe",
    });
    this.#exit = once(this.#process, "close");
    // A process that is killed before it has read its input breaks the pipe.
    this.#process.stdin.on("error", () => {});
    for (const name of ["stdout", "stderr"] as const) {
      this.#process[name].on("data", (chunk: Buffer) => {
        this.#output[name] += String(chunk);
      });
    }
  }

  /** A process that plans and applies according to an order. */
  static runner(): Child {
    return new Child([programs.apply], {});
  }

  /** The command line. */
  static cli(args: readonly string[], env: Record<string, string>): Child {
    return new Child([programs.commandLine, ...args], env);
  }

  /** Writes the input; resolves when the process has ended by itself or by a signal. */
  async run(input: string): Promise<Ended> {
    this.#process.stdin.end(input);
    await this.#exit;
    return { code: this.#process.exitCode, ...this.#output };
  }

  /**
   * Sends an order to a runner. Undefined when the runner was killed.
   *
   * @param planned is told what its plan loses, before the runner carries it out
   * @throws when the runner fails
   */
  async order(
    order: Order,
    planned: (losses: readonly Listed[]) => Promise<void> = () => Promise.resolve(),
  ): Promise<Result | undefined> {
    const { stdin, stdout } = this.#process;
    let result: Result | undefined;
    const reported = (async () => {
      for await (const text of createInterface({ input: stdout })) {
        const line = JSON.parse(text) as Line;
        if ("statuses" in line) result = line;
        else await planned(line.listed).then(() => stdin.end("go\n"));
      }
    })();
    stdin.write(`${JSON.stringify(order)}\n`);
    await this.#exit;
    await reported;
    const { exitCode } = this.#process;
    if (exitCode !== null && exitCode !== 0) throw new Error(this.#output.stderr);
    return result;
  }

  /** Kills the process with SIGKILL; resolves when it has ended. */
  async kill(): Promise<void> {
    this.#process.kill("SIGKILL");
    await this.#exit;
  }
}
