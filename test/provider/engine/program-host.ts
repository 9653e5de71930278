import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { pathToFileURL } from "node:url";

/** To the process: a program to serve to one run of the engine, or the end of that run. */
export type HostRequest = { program: string } | "end";

/** From the process: where the engine reaches the program. */
export interface HostAnswer {
  port: number;
}

/** A program that the engine can run. */
interface Served extends Disposable {
  /** `host:port`, the value of `--client`. */
  address: string;
}

/**
 * Runs programs for the engine in processes that stay, as the Automation API does with inline programs. The language host
 * starts a process for each run, and loading Pulumi there takes two thirds of the processor's time of a run. Programs that run
 * at the same time are in processes of their own: in one, Pulumi reports what fails in one program for the others too.
 */
export class ProgramHost {
  readonly #idle: ChildProcess[] = [];

  /** @param file the program, JavaScript or TypeScript */
  async serve(file: string): Promise<Served> {
    const child = this.#idle.pop() ?? start();
    const answered = once(child, "message");
    child.send({ program: pathToFileURL(file).href } satisfies HostRequest);
    const [{ port }] = (await answered) as [HostAnswer];
    return {
      address: `127.0.0.1:${port}`,
      [Symbol.dispose]: () => {
        child.send("end" satisfies HostRequest);
        this.#idle.push(child);
      },
    };
  }
}

/** It ends with this process, and does not keep it. */
function start(): ChildProcess {
  const child = fork(path.join(import.meta.dirname, "program-process.ts"), { execArgv: [] });
  child.unref();
  child.channel?.unref();
  return child;
}
