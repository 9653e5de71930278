import { timeLimit } from "../text.ts";
import { realpath } from "node:fs/promises";
import { resolve, sep } from "node:path";
import { promisify } from "node:util";
import { type Fields, stableJson, textIn } from "../json.ts";
import type { Remedy } from "../remedy.ts";
import { maximumBytes } from "../source/limits.ts";
import { readFile } from "../source/read.ts";

/** Why the value of a secret cannot be had. Its message has nothing of the value. */
export class SecretSourceError extends Error {
  override readonly name = "SecretSourceError";
  readonly advice: string;
  readonly remedies: readonly Remedy[];

  constructor(message: string, advice: string, remedies: readonly Remedy[] = []) {
    super(message);
    this.advice = advice;
    this.remedies = remedies;
  }
}

/** Where the values of secrets come from. */
export interface SecretSources {
  environment: NodeJS.ProcessEnv;
  /** Whether commands that documents name may be run. */
  allowCommands: boolean;
  /** Where files that documents name may lie, also after links are followed; default: anywhere. */
  files?: "anywhere" | "nowhere" | { folder: string };
}

/** How reads end that would not end by themselves. */
export interface SecretLimits {
  /** Ends reads under way: they fail. */
  signal?: AbortSignal | undefined;
  /** The milliseconds that a file or a command may take; default: a minute. */
  patience?: number;
}

/**
 * Reads the values of secrets, each once in a run: plans and files have only the references. No value is kept anywhere
 * but in the memory of the process.
 */
export class SecretReader {
  readonly #sources: SecretSources;
  readonly #signal: AbortSignal | undefined;
  readonly #patience: number;
  readonly #read = new Map<string, Promise<string>>();
  readonly #stated = new Map<string, string>();

  constructor(sources: SecretSources, { signal, patience = 60_000 }: SecretLimits = {}) {
    this.#sources = sources;
    this.#signal = signal;
    this.#patience = patience;
  }

  /** Adds values that documents state in plain text, by their references. */
  know(values: ReadonlyMap<string, string>): void {
    for (const [reference, value] of values) this.#stated.set(reference, value);
  }

  /**
   * @param reference the entry of the document: `{ from_env: NAME }` or the like
   * @throws SecretSourceError
   */
  read(reference: Fields): Promise<string> {
    const stated = this.#stated.get(textIn(reference, "from_document") ?? "");
    if (stated !== undefined) return Promise.resolve(stated);
    const key = stableJson(reference);
    const value = this.#read.get(key) ?? this.#valueOf(reference);
    this.#read.set(key, value);
    return value;
  }

  async #valueOf(reference: Fields): Promise<string> {
    const [value, environment, file, sops, command] = members.map((member) => textIn(reference, member));
    if (value !== undefined) return value;
    if (environment !== undefined) return this.#fromEnvironment(environment);
    if (file !== undefined) return this.#fromFile(await this.#allowed(file));
    if (sops !== undefined) return this.#fromSops(sops);
    if (command !== undefined) return this.#fromCommand(command);
    if (textIn(reference, "from_document") !== undefined)
      throw new SecretSourceError(
        "its value stands in the manifest, and a saved plan does not contain it",
        "name a source such as from_env in the manifest, or apply the manifests without a saved plan",
      );
    throw new SecretSourceError("has no source", `state one of ${members.slice(1).join(", ")}`);
  }

  #fromEnvironment(name: string): string {
    const value = this.#sources.environment[name];
    if (value !== undefined && value !== "") return value;
    throw new SecretSourceError(
      `the environment variable ${name} is ${value === undefined ? "not set" : "empty"}`,
      "set it for this run",
    );
  }

  /** `FILE#KEY`, decrypted by the `sops` program; `a.b` is a key inside another. */
  async #fromSops(reference: string): Promise<string> {
    const [file = "", key = ""] = reference.split("#");
    if (file === "" || key === "")
      throw new SecretSourceError(`from_sops: ${reference} does not name a file and a key`, "write FILE#KEY");
    const path = key.split(".").map((part) => `[${JSON.stringify(part)}]`);
    return this.#output("sops", "sops", ["decrypt", "--extract", path.join(""), await this.#allowed(file)]);
  }

  /** The file, if it may be read. */
  async #allowed(file: string): Promise<string> {
    const { files = "anywhere" } = this.#sources;
    if (files === "anywhere") return file;
    if (files === "nowhere")
      throw new SecretSourceError(
        `its value comes from the file ${file}, and files are not allowed`,
        "name another source",
        [{ setting: "secrets_folder" }],
      );
    const path = resolve(files.folder, file);
    const [root, target] = await Promise.all(
      [files.folder, path].map((each) => realpath(each).catch(() => each)),
    );
    if (target === undefined || root === undefined || !target.startsWith(`${root}${sep}`))
      throw new SecretSourceError(
        `the file ${file} is not in the folder of secrets`,
        `name a file in ${files.folder}`,
      );
    return path;
  }

  #fromCommand(command: string): Promise<string> {
    if (!this.#sources.allowCommands)
      throw new SecretSourceError(
        "its value comes from a command, and commands are not allowed",
        "name another source",
        [{ setting: "allow_commands" }],
      );
    return this.#output("the command", "sh", ["-c", command]);
  }

  /** A file may be a pipe to which nobody writes. */
  async #fromFile(file: string): Promise<string> {
    const limit = timeLimit(this.#patience);
    const advice = "name a file that can be read";
    try {
      const bytes = await readFile(file, this.#timeLimit());
      if (bytes) return withoutLineEnd(Buffer.from(bytes).toString("utf8"));
    } catch (error) {
      this.#refuseInterrupted(error);
      const why =
        codeOf(error) === "ABORT_ERR" ? `has not ended within ${limit}` : `cannot be read (${codeOf(error)})`;
      throw new SecretSourceError(`the file ${file} ${why}`, advice);
    }
    throw new SecretSourceError(`the file ${file} has more than ${maximumBytes} bytes`, advice);
  }

  /** The output of a program. The output of a failed program is not shown, because it may contain the value. */
  async #output(what: string, program: string, args: string[]): Promise<string> {
    try {
      const { execFile } = await import("node:child_process");
      const { stdout } = await promisify(execFile)(program, args, {
        maxBuffer: maximumBytes,
        signal: this.#timeLimit(),
        // A program may ignore other signals.
        killSignal: "SIGKILL",
      });
      if (stdout !== "") return withoutLineEnd(stdout);
    } catch (error) {
      this.#refuseInterrupted(error);
      const code = codeOf(error);
      if (code === "ENOENT")
        throw new SecretSourceError(
          `the program ${program} is not there`,
          `install ${program}, or name another source`,
        );
      const why =
        code === "ABORT_ERR" ? `has not ended within ${timeLimit(this.#patience)}` : `has failed (${code})`;
      throw new SecretSourceError(`${what} ${why}`, "run it by hand to see why");
    }
    throw new SecretSourceError(`${what} has printed nothing`, "run it by hand to see why");
  }

  #timeLimit(): AbortSignal {
    const limit = AbortSignal.timeout(this.#patience);
    return this.#signal ? AbortSignal.any([limit, this.#signal]) : limit;
  }

  #refuseInterrupted(error: unknown): void {
    if (this.#signal?.aborted && codeOf(error) === "ABORT_ERR")
      throw new SecretSourceError("the run was interrupted while its value was read", "run it again");
  }
}

const members = ["value", "from_env", "from_file", "from_sops", "from_command"] as const;

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "unknown";
}

function withoutLineEnd(text: string): string {
  return text.replace(/\r?\n$/, "");
}
