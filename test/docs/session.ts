import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import type { Duplex } from "node:stream";
import type { CommandRunner } from "../fixtures/command-pool.ts";
import { infrasyncFunction, messageForShell, RequestReader } from "./shell-requests.ts";

/** The result of a command. */
export interface Ran {
  /** Standard output and standard error, in order of arrival. */
  output: string;
  exitCode: number;
}

/** The working directory of the commands. */
export interface Place {
  folder: string;
  env: Record<string, string>;
  /** A folder for files of the session itself. */
  scratch: string;
}

/** A process with its child processes, and their output so far. */
export class Running {
  output = "";
  readonly #child: ChildProcess;
  readonly #refreshes = new Set<() => void>();
  #isOver = false;

  constructor(args: string[], { folder, env }: Place) {
    // A separate process group, so that all processes can be ended together.
    const child = spawn("bash", ["--noprofile", "--norc", ...args], {
      cwd: folder,
      env,
      detached: true,
      stdio: ["pipe", "pipe", "pipe", "pipe", "pipe"],
    });
    this.#child = child;
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      this.output += chunk;
      this.#refresh();
    });
    child.on("close", () => {
      this.#isOver = true;
      this.#refresh();
    });
  }

  /** Waits until the output satisfies the condition, the process ends, or the time is up; returns whether it does. */
  async printed(isSuch: (output: string) => boolean, milliseconds: number): Promise<boolean> {
    const time = Promise.withResolvers<void>();
    const timer = setTimeout(time.resolve, milliseconds);
    const refresh = () => (isSuch(this.output) || this.#isOver) && time.resolve();
    this.#refreshes.add(refresh);
    refresh();
    await time.promise;
    clearTimeout(timer);
    this.#refreshes.delete(refresh);
    return isSuch(this.output);
  }

  write(line: string): void {
    this.#child.stdin?.write(`${line}\n`);
  }

  /** The descriptor of the process with this number, 3 or 4. */
  descriptor(number: 3 | 4): Duplex {
    return this.#child.stdio[number] as Duplex;
  }

  async end(): Promise<void> {
    const { pid } = this.#child;
    if (pid === undefined) return;
    const closed = this.#isOver ? undefined : once(this.#child, "close");
    try {
      process.kill(-pid, "SIGTERM");
    } catch (error) {
      // All processes of the group have ended.
      if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
    }
    await closed;
  }

  #refresh(): void {
    for (const refresh of this.#refreshes) refresh();
  }
}

/** The time limit of a command in milliseconds. */
const commandLimit = 30_000;

/**
 * A shell that keeps its variables and its working directory from one command to the next. Its commands `infrasync` go to the
 * runner, if there is one.
 */
export class Session {
  readonly #place: Place;
  readonly #shell: Running;
  readonly #beside: Running[] = [];
  readonly #mark = randomUUID();

  constructor(place: Place, runner: CommandRunner | undefined) {
    this.#place = place;
    this.#shell = new Running([], place);
    this.#shell.write("exec 2>&1");
    if (runner !== undefined) this.#serve(runner);
  }

  /** Runs a command to its end, with an empty standard input. */
  async run(command: string): Promise<Ran> {
    // The commands after it are those of the shell that it starts.
    if (/^infrasync emulator .*--shell\s*$/.test(command)) {
      this.#shell.write(`command ${command.trim()}`);
      return this.run('test -n "$INFRASYNC_TOKEN"');
    }
    const file = path.join(this.#place.scratch, `${randomUUID()}.sh`);
    await writeFile(file, `${command}\n`);
    const before = this.#shell.output.length;
    this.#shell.write(`. '${file}' < /dev/null; printf '%s %s\\n' '${this.#mark}' "$?"`);
    const end = new RegExp(`${this.#mark} (\\d+)\\n$`);
    const isOver = await this.#shell.printed((output) => end.test(output.slice(before)), commandLimit);
    const printed = this.#shell.output.slice(before);
    if (!isOver)
      throw new Error(`did not end within ${commandLimit / 1000} s, or has ended the shell\n${printed}`);
    return { output: printed.replace(end, ""), exitCode: Number(end.exec(printed)?.[1]) };
  }

  /** Starts a command that runs until the session is closed. */
  runBeside(command: string): Running {
    const running = new Running(["-c", `exec 2>&1; ${command}`], this.#place);
    this.#beside.push(running);
    return running;
  }

  #serve(runner: CommandRunner): void {
    const requests = new RequestReader();
    const answers = this.#shell.descriptor(4);
    this.#shell
      .descriptor(3)
      .setEncoding("utf8")
      .on("data", (text: string) => {
        const commandLine = requests.read(text);
        if (commandLine === undefined) return;
        runner.run(commandLine, (message) => answers.write(messageForShell(message)));
      });
    this.#shell.write(infrasyncFunction);
  }

  /** Ends the shell and all processes that it has started. */
  async close(): Promise<void> {
    await Promise.all([this.#shell, ...this.#beside].map((running) => running.end()));
  }
}
