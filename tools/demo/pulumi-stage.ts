import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { styleText } from "node:util";
import { emitPackage } from "../package.ts";
import { type Server, DemoStage } from "./stage.ts";

const checkout = path.join(import.meta.dirname, "..", "..");

/** Runs a demo of Pulumi commands in copies of programs, with a Pulumi backend of its own. */
export class PulumiStage extends DemoStage {
  readonly #folder: string;
  readonly #engine: string;

  private constructor(server: Server, folder: string, engine: string) {
    super(server, process.stdout);
    this.#folder = folder;
    this.#engine = engine;
  }

  /** Copies the programs into an empty folder where the Pulumi of the engine's folder can run them. */
  static async set(server: Server, folder: string, engine: string): Promise<PulumiStage> {
    await cp(path.join(checkout, "examples", "pulumi"), folder, { recursive: true });
    const modules = path.join(folder, "node_modules");
    await mkdir(path.join(modules, "@pulumi"), { recursive: true });
    await mkdir(path.join(folder, "backend"));
    await emitPackage(path.join(folder, "package"));
    await symlink(path.join(folder, "package"), path.join(modules, "infrasync"), "dir");
    await symlink(
      path.join(checkout, "node_modules", "@pulumi", "pulumi"),
      path.join(modules, "@pulumi", "pulumi"),
      "dir",
    );
    await mkdir(path.join(modules, ".bin"));
    await symlink(
      path.join(folder, "package", "dist", "provider", "plugin", "main.js"),
      path.join(modules, ".bin", "pulumi-resource-infrasync"),
    );
    return new PulumiStage(server, folder, engine);
  }

  /** Runs `pulumi` in the folder of a program as a person would, and checks that it succeeds. */
  async pulumi(program: string, ...args: string[]): Promise<void> {
    process.stdout.write(`${styleText("dim", `${program}$ pulumi ${args.join(" ")}`)}\n`);
    const child = spawn(path.join(this.#engine, "pulumi"), ["--non-interactive", ...args], {
      cwd: path.join(this.#folder, program),
      env: this.#environment(),
      stdio: ["ignore", "inherit", "inherit"],
    });
    await once(child, "close");
    this.check("the exit code is 0", child.exitCode === 0);
  }

  async edit(program: string, file: string, from: string, to: string): Promise<void> {
    const target = path.join(this.#folder, program, file);
    const text = await readFile(target, "utf8");
    this.check(`${file} has "${from}"`, text.includes(from));
    await writeFile(target, text.replace(from, to));
  }

  #environment(): NodeJS.ProcessEnv {
    return {
      ...process.env,
      PATH: [this.#engine, process.env["PATH"]].join(path.delimiter),
      PULUMI_HOME: path.join(this.#folder, "home"),
      PULUMI_BACKEND_URL: `file://${path.join(this.#folder, "backend")}`,
      PULUMI_CONFIG_PASSPHRASE: "for a demo",
      PULUMI_SKIP_UPDATE_CHECK: "true",
      // Each run starts Node several times, with the same modules.
      NODE_COMPILE_CACHE: path.join(this.#folder, "compiled"),
      INFRASYNC_BASE_URL: this.server.url,
      INFRASYNC_TOKEN: this.server.token,
    };
  }
}
