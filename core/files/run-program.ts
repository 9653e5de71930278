import { spawn } from "node:child_process";
import { codeOf } from "../values/error-code.ts";

export interface ProgramCall {
  folder: string | undefined;
  /** All environment variables that it gets. */
  env: Readonly<Record<string, string | undefined>>;
  input?: string;
  /** Milliseconds. */
  timeout: number;
  /** The most bytes of output. */
  maxBytes: number;
  signal?: AbortSignal | undefined;
  /** Whether it ends with all that it has started, such as ssh; it cannot ask at the terminal then. */
  inOwnGroup?: boolean;
}

export interface ProgramOutput {
  stdout: Buffer;
  stderr: string;
  code: number;
}

/** A program has not run to its end. `missing`: there is none of that name; `not_started`: the system refuses to start it. */
export class ProgramError extends Error {
  override readonly name = "ProgramError";
  readonly why: "missing" | "not_started" | "timeout" | "too_much" | "interrupted";

  constructor(why: ProgramError["why"], options?: ErrorOptions) {
    super(options?.cause instanceof Error ? options.cause.message : why, options);
    this.why = why;
  }
}

/** Runs a program without a shell, and ends it where it takes too long or says too much. @throws ProgramError */
export async function runProgram(
  program: string,
  args: readonly string[],
  call: ProgramCall,
): Promise<ProgramOutput> {
  const { folder, env, input = "", timeout, maxBytes, signal, inOwnGroup = false } = call;
  if (signal?.aborted) throw new ProgramError("interrupted");
  const child = started(() =>
    spawn(program, args, { cwd: folder, env, stdio: ["pipe", "pipe", "pipe"], detached: inOwnGroup }),
  );
  const end = () => {
    if (child.pid === undefined) return;
    try {
      if (inOwnGroup) process.kill(-child.pid, "SIGKILL");
      else child.kill("SIGKILL");
    } catch {
      // All have ended already.
    }
  };
  let stop: (why: ProgramError["why"], cause?: Error) => void = end;
  const timer = setTimeout(() => stop("timeout"), timeout);
  const onAbort = () => stop("interrupted");
  signal?.addEventListener("abort", onAbort, { once: true });
  try {
    return await new Promise<ProgramOutput>((resolve, reject) => {
      const { stdin, stdout: out, stderr: errors } = child as Partial<typeof child>;
      // What the program has started may live on, and hold its streams open: nobody waits for that.
      stop = (why, cause) => {
        end();
        for (const stream of [out, errors]) stream?.destroy();
        reject(new ProgramError(why, { cause }));
      };
      // First: where the system has no descriptor left, nothing but this tells, and the child has no streams.
      child.on("error", (error) => stop(codeOf(error) === "ENOENT" ? "missing" : "not_started", error));
      if (!stdin || !out || !errors) return;
      const chunks: Buffer[] = [];
      let bytes = 0;
      let stderr = "";
      out.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > maxBytes) stop("too_much");
        else chunks.push(chunk);
      });
      errors.on("data", (chunk: Buffer) => {
        if (stderr.length < 10_000) stderr += String(chunk);
      });
      // The program may end before it has read everything.
      stdin.on("error", () => undefined);
      child.on("close", (code) => resolve({ stdout: Buffer.concat(chunks), stderr, code: code ?? -1 }));
      stdin.end(input);
    });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
    if (inOwnGroup) end();
  }
}

/** Some errors `spawn` throws at once, such as that of a working directory that is a file; others it tells later. */
function started<T>(start: () => T): T {
  try {
    return start();
  } catch (error) {
    throw new ProgramError("not_started", { cause: error });
  }
}
