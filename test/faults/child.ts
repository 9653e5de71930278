import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Order, Result } from "./runner.ts";

const script = fileURLToPath(new URL("runner.ts", import.meta.url));

/** A real process that waits for an order. */
export class Child {
  readonly #process: ChildProcess;
  readonly #exit: Promise<unknown>;
  #output = "";
  #errors = "";

  constructor() {
    this.#process = spawn(process.execPath, [script], { stdio: ["pipe", "pipe", "pipe"] });
    this.#exit = once(this.#process, "close");
    // A process that is killed before it has read its order breaks the pipe.
    this.#process.stdin?.on("error", () => {});
    this.#process.stdout?.on("data", (chunk: Buffer) => {
      this.#output += String(chunk);
    });
    this.#process.stderr?.on("data", (chunk: Buffer) => {
      this.#errors += String(chunk);
    });
  }

  /** Gives the order; resolves when the process has ended by itself or by a signal. */
  async run(order: Order): Promise<Result | "killed" | Error> {
    this.#process.stdin?.end(JSON.stringify(order));
    await this.#exit;
    if (this.#process.signalCode === "SIGKILL") return "killed";
    if (this.#process.exitCode !== 0) return new Error(this.#errors);
    return JSON.parse(this.#output) as Result;
  }

  /** Ends the process at once, as `kill -9` does; resolves when it has gone. */
  async kill(): Promise<void> {
    this.#process.kill("SIGKILL");
    await this.#exit;
  }
}
