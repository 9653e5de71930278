import { type ChildProcess, fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import path from "node:path";
import { pathToFileURL } from "node:url";

/** To the process: a program to serve to one run of the engine, or the end of that run. */
export type HostRequest = { run: string; program: string } | { end: string };

/** From the process: where the engine reaches the program. */
export interface HostAnswer {
  run: string;
  port: number;
}

/** A program that the engine can run. */
interface Served extends Disposable {
  /** `host:port`, the value of `--client`. */
  address: string;
}

/**
 * Runs programs for the engine in one process that stays, as the Automation API does with inline programs. The language
 * host starts a process for each run, and loading Pulumi there takes two thirds of the processor's time of a run.
 */
export class ProgramHost {
  #process: ChildProcess | undefined;

  /** @param file the program, JavaScript or TypeScript */
  async serve(file: string): Promise<Served> {
    const child = (this.#process ??= start());
    const run = randomUUID();
    const port = portOf(run, child);
    child.send({ run, program: pathToFileURL(file).href } satisfies HostRequest);
    return {
      address: `127.0.0.1:${await port}`,
      [Symbol.dispose]: () => void child.send({ end: run } satisfies HostRequest),
    };
  }
}

/** The port that the process answers for a run; answers for other runs may come before. */
function portOf(run: string, child: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    child.on("message", function listen(answer: HostAnswer) {
      if (answer.run !== run) return;
      child.off("message", listen);
      resolve(answer.port);
    });
  });
}

/** It ends with this process, and does not keep it. */
function start(): ChildProcess {
  const child = fork(path.join(import.meta.dirname, "program-process.ts"), { execArgv: [] });
  child.unref();
  child.channel?.unref();
  return child;
}
