import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { stripTypeScriptTypes } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { secretsProvider } from "./key-service.ts";
import type { ProgramHost } from "./program-host.ts";
import { execute, readRun, type Exit, type Run } from "./pulumi-run.ts";
import { removeFolder } from "../../fixtures/remove-folder.ts";

const checkout = path.join(import.meta.dirname, "..", "..", "..");

/** What a stack is made of. */
export interface StackOptions {
  /** Text of the program, TypeScript, ESM. Empty where the test writes one in another language. */
  program: string;
  /** Turns a program into the one that the stack runs, as for another front end. */
  translate?: (program: string) => string;
  /** Added to the environment of every run. */
  environment?: Record<string, string>;
  /** Runs `program`, which then does not see this environment. Default: the language host, as for a user. */
  host?: ProgramHost;
  /** Files of the program's folder, beside `index.js` or in the place of what it has by default: name and text. */
  files?: Record<string, string>;
  /** Programs in `node_modules/.bin` of the program's folder: name and file. */
  programs?: Record<string, string>;
  /** Folder of `initialStack`. */
  initial: string;
  /** The variables of the key service with which the initial stack was made; none: it was made with a passphrase. */
  keys?: Record<string, string>;
  /** Packages that the program can import beside `@pulumi/pulumi`: name and folder. */
  packages?: Record<string, string>;
}

/** A resource in the exported state, as far as tests look at it. */
interface StateResource {
  urn: string;
  type: string;
  id?: string;
  inputs?: Record<string, unknown>;
  outputs?: Record<string, unknown>;
  initErrors?: string[];
}

/** The exported state. */
export interface State {
  /** As `pulumi stack export` prints it: indented, secrets encrypted. */
  text: string;
  /** The resources of the program: neither the stack itself nor the engine's providers. */
  resources: StateResource[];
}

/** The environment of this process without what the developer has set for Pulumi, infrasync and a key service. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const developers = /^(PULUMI|INFRASYNC|VAULT)_/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !developers.test(name)));
}

/** The variables of the Pulumi command line for a stack below this folder. */
function pulumiSettings(root: string, keys: Record<string, string> = {}): NodeJS.ProcessEnv {
  return {
    ...keys,
    PULUMI_HOME: path.join(root, "home"),
    PULUMI_BACKEND_URL: `file://${path.join(root, "backend")}`,
    PULUMI_CONFIG_PASSPHRASE: "correct horse battery staple",
    PULUMI_SKIP_UPDATE_CHECK: "true",
  };
}

/**
 * Makes a project with an empty stack `dev` in a folder, from which those of the tests are copied: to initialize a stack
 * takes half a second.
 *
 * @param engine folder that holds the Pulumi programs
 * @param keys the variables of a key service, in the place of a passphrase
 */
export async function initialStack(
  engine: string,
  folder: string,
  keys?: Record<string, string>,
): Promise<void> {
  const program = path.join(folder, "program");
  for (const each of ["backend", "program"]) await mkdir(path.join(folder, each), { recursive: true });
  await writeFile(path.join(program, "Pulumi.yaml"), "name: test\nruntime: nodejs\n");
  const { exitCode, stderr } = await execute(
    path.join(engine, "pulumi"),
    ["stack", "init", ...(keys ? ["--secrets-provider", secretsProvider] : []), "dev"],
    {
      cwd: program,
      env: { ...ownEnvironment(), ...pulumiSettings(folder, keys) },
      signal: new AbortController().signal,
    },
  );
  if (exitCode !== 0) throw new Error(`pulumi stack init failed:\n${stderr}`);
  await rm(path.join(folder, "home"), { recursive: true });
}

/**
 * A Pulumi project with one stack in a temporary folder, run by the real command line.
 *
 * It has a backend, a Pulumi home and a program folder of its own, and sees none of the developer's Pulumi,
 * infrasync and Vault settings, so that stacks can run side by side.
 */
export class Stack {
  /** Added to the environment of every run. A test may change it between runs. */
  readonly environment: Record<string, string>;
  readonly #root: string;
  readonly #engine: string;
  readonly #signal: AbortSignal;
  readonly #keys: Record<string, string> | undefined;
  readonly #host: ProgramHost | undefined;
  readonly #running = new Set<Promise<Exit>>();
  #translate = (program: string): string => program;
  #program = "";
  #runs = 0;

  private constructor(
    root: string,
    engine: string,
    signal: AbortSignal,
    { environment, host, keys }: StackOptions,
  ) {
    this.#root = root;
    this.#host = host;
    this.#engine = engine;
    this.#signal = signal;
    this.#keys = keys;
    this.environment = { ...environment };
  }

  /**
   * @param engine folder that holds the Pulumi programs
   * @param signal ends a run that is under way
   */
  static async create(engine: string, signal: AbortSignal, options: StackOptions): Promise<Stack> {
    const root = await mkdtemp(path.join(await realpath(tmpdir()), "infrasync-stack-"));
    const stack = new Stack(root, engine, signal, options);
    try {
      await stack.#set(options);
    } catch (error) {
      await stack.remove();
      throw error;
    }
    return stack;
  }

  async #set({ program, translate, files, initial, packages, programs }: StackOptions): Promise<void> {
    if (translate) this.#translate = translate;
    await cp(initial, this.#root, { recursive: true });
    await this.#select("dev");
    if (program !== "") await this.rewrite(program);
    for (const [name, text] of Object.entries(files ?? {})) await this.write(name, text);
    const pulumi = path.join(checkout, "node_modules", "@pulumi", "pulumi");
    for (const [name, folder] of Object.entries({ "@pulumi/pulumi": pulumi, ...packages }))
      await this.#link(name, folder);
    for (const [name, file] of Object.entries(programs ?? {}))
      await this.#link(path.join(".bin", name), file);
  }

  /** Does what `pulumi stack select` does, which takes a quarter of a second. */
  async #select(stack: string): Promise<void> {
    const project = createHash("sha1").update(path.join(this.folder, "Pulumi.yaml")).digest("hex");
    const workspaces = path.join(this.#root, "home", "workspaces");
    await mkdir(workspaces, { recursive: true });
    await writeFile(
      path.join(workspaces, `test-${project}-workspace.json`),
      JSON.stringify({ stack: `organization/test/${stack}` }),
    );
  }

  /**
   * Replaces the text of the program.
   *
   * @param file its file: JavaScript by default, because loading a compiler takes a fifth of a run
   */
  async rewrite(program: string, file: "index.js" | "index.ts" = "index.js"): Promise<void> {
    const text = this.#translate(program);
    this.#program = path.join(this.folder, file);
    await this.write(file, file === "index.js" ? stripTypeScriptTypes(text) : text);
    await this.write("package.json", JSON.stringify({ name: "test", type: "module", main: file }));
  }

  /** Sets a value of the stack's configuration, such as `infrasync:token`. */
  async configure(key: string, value: string, options: { secret: boolean }): Promise<void> {
    await this.#succeed("config", "set", options.secret ? "--secret" : "--plaintext", key, value);
  }

  async preview(...flags: string[]): Promise<Run> {
    return this.#runProgram("preview", flags);
  }

  /** Without its preview, unless `flags` have `--skip-preview=false`; so do refresh and destroy. */
  async up(...flags: string[]): Promise<Run> {
    return this.#runProgram("up", ["--yes", "--skip-preview", ...flags]);
  }

  async refresh(...flags: string[]): Promise<Run> {
    return this.#run("refresh", ["--yes", "--skip-preview", ...flags]);
  }

  async destroy(...flags: string[]): Promise<Run> {
    return this.#run("destroy", ["--yes", "--skip-preview", ...flags]);
  }

  /** Runs a command as a user would type it in the folder of the program. */
  async shell(command: string, input: string): Promise<Exit> {
    return this.#track(
      execute("sh", ["-c", command], {
        cwd: this.folder,
        env: { ...this.processEnvironment(), PULUMI_SKIP_CONFIRMATIONS: "true" },
        signal: this.#signal,
        input,
      }),
    );
  }

  /** The stored state of the stack `dev`. */
  async export(): Promise<State> {
    const file = path.join(this.#root, "backend", ".pulumi", "stacks", "test", "dev.json");
    const stored: { checkpoint: { latest?: { resources?: StateResource[] } } } = JSON.parse(
      await readFile(file, "utf8"),
    );
    const { latest } = stored.checkpoint;
    const resources = latest?.resources ?? [];
    return {
      text: JSON.stringify(latest, undefined, 4),
      resources: resources.filter(({ type }) => !type.startsWith("pulumi:")),
    };
  }

  /** Removes the folder, once nothing runs in it; what the program created elsewhere stays. */
  async remove(): Promise<void> {
    await Promise.allSettled(this.#running);
    await removeFolder(this.#root);
  }

  /** The PATH of its runs. */
  get path(): string {
    return [this.#engine, process.env["PATH"]].join(path.delimiter);
  }

  /** The folder of the program. */
  get folder(): string {
    return path.join(this.#root, "program");
  }

  async #runProgram(command: string, flags: string[]): Promise<Run> {
    if (!this.#host || this.#program === "") return this.#run(command, flags);
    using served = await this.#host.serve(this.#program);
    return await this.#run(command, [`--client=${served.address}`, ...flags]);
  }

  async #run(command: string, flags: string[]): Promise<Run> {
    this.#runs += 1;
    const log = path.join(this.#root, `events-${this.#runs}.jsonl`);
    const exit = await this.#pulumi(command, "--event-log", log, ...flags);
    return readRun(exit, existsSync(log) ? await readFile(log, "utf8") : "");
  }

  async #succeed(...args: string[]): Promise<Exit> {
    const exit = await this.#pulumi(...args);
    if (exit.exitCode !== 0)
      throw new Error(`pulumi ${args.join(" ")} failed:\n${exit.stdout}${exit.stderr}`);
    return exit;
  }

  async #pulumi(...args: string[]): Promise<Exit> {
    return this.#track(
      execute(path.join(this.#engine, "pulumi"), ["--non-interactive", "--color", "never", ...args], {
        cwd: this.folder,
        env: this.processEnvironment(),
        signal: this.#signal,
      }),
    );
  }

  /** Notes that something runs in the folder. */
  async #track(running: Promise<Exit>): Promise<Exit> {
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  /** The environment of its runs. */
  processEnvironment(): NodeJS.ProcessEnv {
    return {
      ...ownEnvironment(),
      PATH: this.path,
      ...pulumiSettings(this.#root, this.#keys),
      // Every run starts Node several times with the same modules.
      NODE_COMPILE_CACHE: path.join(tmpdir(), "infrasync-compiled-modules"),
      PULUMI_DEBUG_COMMANDS: "true", // makes --event-log known
      ...this.environment,
    };
  }

  /** Writes a file of the program's folder. */
  async write(name: string, text: string): Promise<void> {
    await writeFile(path.join(this.folder, name), text);
  }

  async #link(name: string, target: string): Promise<void> {
    const link = path.join(this.folder, "node_modules", name);
    await mkdir(path.dirname(link), { recursive: true });
    await symlink(target, link);
  }
}
