import { escapeControl, timeLimit } from "../values/text.ts";
import { access, constants, realpath, stat } from "node:fs/promises";
import { resolve, sep } from "node:path";
import { fromFolder } from "../files/files.ts";
import { type Fields, stableJson, textIn } from "../values/json.ts";
import { causeOf } from "../files/program-cause.ts";
import { ProgramError, type ProgramOutput, runProgram } from "../files/run-program.ts";
import { extractPath, sopsAdvice, sopsReference } from "../model/schema/sops.ts";
import { maximumBytes } from "../source/limits.ts";
import { readFile } from "../source/read.ts";
import { oddityOf } from "../source/stand-ins.ts";
import { OwnSecrets } from "./own.ts";
import { slowDigest } from "./slow-digest.ts";
import { SecretSourceError, refuseEmpty, refuseStandIn, secretText } from "./value.ts";
import { codeOf } from "../values/error-code.ts";

/** Where the values of secrets come from. Nothing of infrasync itself is among them. */
export interface SecretSources {
  environment: NodeJS.ProcessEnv;
  /** The variables that documents may name, `SHOP_*` for all that begin with `SHOP_`; default: any. */
  variables?: readonly string[] | undefined;
  /** Whether commands that documents name may be run. */
  allowCommands: boolean;
  /** Where files that documents name may lie, also after links are followed; default: anywhere. */
  files?: "anywhere" | "nowhere" | { folder: string };
  /** The folder from which files may be named anywhere, and in which commands run; default: the working directory. */
  folder?: string | undefined;
}

/** The limits of reads that would not end by themselves. */
export interface SecretLimits {
  /** Ends reads under way: they fail. */
  signal?: AbortSignal | undefined;
  /** The milliseconds that a file or a command may take; default: a minute. */
  timeout?: number;
  /** Whether a text has the token of the run, which no secret may be. */
  holdsToken?: (text: string) => boolean;
}

/** Reads the values of secrets, each once in a run. They are in the memory of the process alone. */
export class SecretReader {
  /** Whether anybody has said where values come from: otherwise only documents have some, and nothing follows from that. */
  readonly hasSources: boolean;
  readonly #sources: SecretSources;
  readonly #signal: AbortSignal | undefined;
  readonly #timeout: number;
  readonly #own: OwnSecrets;
  readonly #read = new Map<string, Promise<string>>();
  readonly #declared = new Map<string, string>();
  /** Warnings about the values that were read, by their references. */
  readonly #oddities = new Map<string, string>();

  constructor(given: SecretSources | undefined, { signal, timeout = 60_000, holdsToken }: SecretLimits = {}) {
    const sources = given ?? { environment: {}, allowCommands: false };
    this.hasSources = given !== undefined;
    this.#sources = sources;
    this.#own = new OwnSecrets(sources.environment, holdsToken);
    this.#signal = signal;
    this.#timeout = timeout;
  }

  /** The value of a secret, or why it cannot be read here, without running a command or waiting for a pipe. */
  async readAtOnce(reference: Fields): Promise<{ value?: string; unreadable?: string; oddity?: string }> {
    const [environment, file, sops] = members.map((member) => textIn(reference, member));
    const named = file ?? sopsReference(sops ?? "")?.file;
    try {
      const path = named === undefined ? undefined : await this.#allowed(named);
      if (path !== undefined) await access(path, constants.R_OK);
      if (environment === undefined && (file === undefined || !(await stat(path ?? "")).isFile())) return {};
      const value = await this.read(reference);
      const oddity = this.#oddities.get(stableJson(reference));
      return { value, ...(oddity !== undefined && { oddity }) };
    } catch (error) {
      if (error instanceof SecretSourceError) return { unreadable: error.message };
      return { unreadable: `the file ${named} cannot be read (${codeOf(error) ?? "unknown"})` };
    }
  }

  /** A digest of the value of a variable or a file; absent: it cannot be read at once. */
  async digestOf(reference: Fields, salt: string): Promise<{ value?: string }> {
    const { value } = await this.readAtOnce(reference);
    return value === undefined ? {} : { value: await slowDigest(value, salt) };
  }

  /** Adds values that documents declare in plain text, by their references. */
  know(values: ReadonlyMap<string, string>): void {
    for (const [reference, value] of values) this.#declared.set(reference, value);
  }

  /** Reads the value of an entry such as `{ from_env: NAME }`. @throws SecretSourceError */
  read(reference: Fields): Promise<string> {
    const declared = this.#declared.get(textIn(reference, "from_document") ?? "");
    if (declared !== undefined) return Promise.resolve(declared);
    const key = stableJson(reference);
    const value = this.#read.get(key) ?? this.#valueOf(reference);
    this.#read.set(key, value);
    return value;
  }

  async #valueOf(reference: Fields): Promise<string> {
    const declared = textIn(reference, "value");
    if (declared !== undefined) return declared;
    const { value, what, hasMark } = await this.#fromSource(reference);
    refuseEmpty(value, what, reference["allow_empty"] === true);
    refuseStandIn(value, what);
    const oddity = oddityOf(value, hasMark);
    if (oddity !== undefined) this.#oddities.set(stableJson(reference), oddity);
    await this.#own.refuseToken(value);
    return value;
  }

  async #fromSource(reference: Fields): Promise<SourceValue> {
    const [environment, file, sops, command] = members.map((member) => textIn(reference, member));
    if (environment !== undefined) return this.#fromEnvironment(environment);
    if (file !== undefined) return this.#fromFile(await this.#allowed(file));
    if (sops !== undefined) return this.#fromSops(sops);
    if (command !== undefined) return this.#fromCommand(command);
    if (textIn(reference, "from_document") !== undefined)
      throw new SecretSourceError(
        "its value is in the manifest, and a saved plan does not contain it",
        "name a source such as from_env in the manifest, or apply the manifests without a saved plan",
      );
    throw new SecretSourceError("has no source", `declare one of ${members.join(", ")}`);
  }

  #fromEnvironment(name: string): SourceValue {
    const what = `the environment variable ${name}`;
    const { environment, variables } = this.#sources;
    this.#own.refuseVariable(name);
    if (variables && !variables.some((allowed) => isAllowed(name, allowed)))
      throw new SecretSourceError(
        `its value comes from ${what}, and this run lets manifests read ${variables.length === 0 ? "none" : `only ${variables.join(", ")}`}`,
        "name another source",
        [{ setting: "allow_env", value: [...variables, name].join(",") }],
      );
    const value = environment[name];
    if (value === undefined) throw new SecretSourceError(`${what} is not set`, "set it for this run");
    // Node has put U+FFFD in the place of bytes that are no UTF-8.
    if (value.includes("\uFFFD"))
      throw new SecretSourceError(`${what} is not a text in UTF-8`, "store other bytes as base64");
    return { value: value.replace(/^\uFEFF/, ""), what, hasMark: value.startsWith("\uFEFF") };
  }

  /** `FILE#KEY`, decrypted by the `sops` program. */
  async #fromSops(reference: string): Promise<SourceValue> {
    const read = sopsReference(reference);
    if (!read)
      throw new SecretSourceError(`from_sops: ${reference} does not name a file and a key in it`, sopsAdvice);
    const args = ["decrypt", "--extract", extractPath(read), await this.#allowed(read.file)];
    return this.#output(`sops, asked for ${reference},`, "sops", args);
  }

  /** The file, if it may be read. */
  async #allowed(file: string): Promise<string> {
    const { files = "anywhere", folder = "." } = this.#sources;
    const named = typeof files === "object" ? resolve(files.folder, file) : fromFolder(folder, file);
    await this.#own.refuseFile(named);
    if (files === "anywhere") return named;
    if (files === "nowhere")
      throw new SecretSourceError(
        `its value comes from the file ${file}, and files are not allowed`,
        "name another source",
        [{ setting: "secrets_folder" }],
      );
    const [root, target] = await Promise.all(
      [files.folder, named].map((each) => realpath(each).catch(() => each)),
    );
    if (target === undefined || root === undefined || !target.startsWith(`${root}${sep}`))
      throw new SecretSourceError(
        `the file ${file} is not in the folder of secrets`,
        `name a file in ${files.folder}`,
      );
    return named;
  }

  async #fromCommand(command: string): Promise<SourceValue> {
    if (!this.#sources.allowCommands)
      throw new SecretSourceError(
        "its value comes from a command, and commands are not allowed",
        "name another source",
        [{ setting: "allow_commands" }],
      );
    return this.#output("the command", "sh", ["-c", command]);
  }

  /** A file may be a pipe to which nobody writes. */
  async #fromFile(file: string): Promise<SourceValue> {
    const limit = timeLimit(this.#timeout);
    const advice = "name a file that can be read";
    const what = `the file ${file}`;
    let bytes: Uint8Array | undefined;
    try {
      bytes = await readFile(file, this.#timeLimit());
    } catch (error) {
      this.#refuseInterrupted(error);
      const why =
        codeOf(error) === "ABORT_ERR"
          ? `has not ended within ${limit}`
          : `cannot be read (${codeOf(error) ?? "unknown"})`;
      throw new SecretSourceError(`${what} ${why}`, advice);
    }
    if (bytes)
      return { value: secretText(bytes, what), what, hasMark: bytes[0] === 0xef && bytes[1] === 0xbb };
    throw new SecretSourceError(`${what} has more than ${maximumBytes} bytes`, advice);
  }

  /** The output of a program. That of a failed one is not shown, because it may contain the value; its errors are. */
  async #output(what: string, program: string, args: string[]): Promise<SourceValue> {
    const byHand = "run the command manually to see the error";
    const { stdout, stderr, code } = await runProgram(program, args, {
      folder: this.#sources.folder,
      env: process.env,
      timeout: this.#timeout,
      maxBytes: maximumBytes,
      signal: this.#signal,
    }).catch((error: unknown): ProgramOutput => {
      if (!(error instanceof ProgramError)) throw error;
      if (error.why === "interrupted") throw interrupted();
      if (error.why === "missing")
        throw new SecretSourceError(
          `the program ${program} is not there`,
          `install ${program}, or name another source`,
        );
      const why = {
        timeout: `has not ended within ${timeLimit(this.#timeout)}`,
        too_much: `has printed more than ${maximumBytes} bytes`,
        not_started: `cannot be started: ${escapeControl(error.message)}`,
      }[error.why];
      throw new SecretSourceError(`${what} ${why}`, byHand);
    });
    if (code !== 0) {
      const errors = stderr.trim() === "" ? "" : `: ${escapeControl(causeOf(stderr).message)}`;
      throw new SecretSourceError(`${what} has failed (${code})${errors}`, byHand);
    }
    const output = `the output of ${what}`;
    return { value: secretText(stdout, output), what: output };
  }

  #timeLimit(): AbortSignal {
    const limit = AbortSignal.timeout(this.#timeout);
    return this.#signal ? AbortSignal.any([limit, this.#signal]) : limit;
  }

  #refuseInterrupted(error: unknown): void {
    if (this.#signal?.aborted && codeOf(error) === "ABORT_ERR") throw interrupted();
  }
}

const interrupted = () =>
  new SecretSourceError("the run was interrupted while its value was read", "run it again");

const members = ["from_env", "from_file", "from_sops", "from_command"] as const;

/** A value, and where it comes from, for messages. */
interface SourceValue {
  value: string;
  what: string;
  /** Whether a byte order mark stood before it. */
  hasMark?: boolean;
}

function isAllowed(name: string, allowed: string): boolean {
  return allowed.endsWith("*") ? name.startsWith(allowed.slice(0, -1)) : name === allowed;
}
