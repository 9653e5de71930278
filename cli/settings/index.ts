import { isFields } from "../../core/json.ts";
import type { Pattern } from "../../core/pattern.ts";
import { defaultCaps, type DeletionCaps } from "../../core/plan/policy.ts";
import type { Problem } from "../../core/problem.ts";
import type { Console } from "../terminal/console.ts";
import type { SettingFlags } from "../flags.ts";
import { readSettingsFile, type SettingsFile } from "./file.ts";
import type { LogLevel } from "./log-levels.ts";
import { readPattern } from "./patterns.ts";
import {
  flagOf,
  type SettingName,
  settingNames,
  settingReaders,
  type SettingValue,
  variableOf,
} from "./table.ts";
import { readToken } from "./token.ts";
import type { Reading } from "./values.ts";

/** The settings that need no server. */
export interface LocalSettings {
  protect: Pattern[];
  caps: DeletionCaps;
  strict: boolean;
  /** Actions under way at the same time. */
  parallelism: number;
}

/** How the API is reached, and what may be spent. */
export interface RemoteSettings {
  baseUrl: string;
  token: string;
  organization?: string;
  tokenScheme?: "Token" | "Bearer";
  insecureHttp: boolean;
  onQuota: "wait" | "fail";
  maxRequests?: number;
  /** Milliseconds. */
  cloneTimeout?: number;
  logLevel: LogLevel;
}

export type Settings = LocalSettings & RemoteSettings;

/** Reads settings: flags come before environment variables, and these before the settings file. */
export class SettingsReader {
  readonly problems: Problem[];
  readonly #flags: SettingFlags;
  readonly #console: Console;
  readonly #file: SettingsFile;
  readonly #misread = new Set<SettingName>();

  private constructor(flags: SettingFlags, console: Console, file: SettingsFile) {
    this.#flags = flags;
    this.#console = console;
    this.#file = file;
    this.problems = [...file.problems];
  }

  /** Opens the settings file that goes with these manifests, if there is one. */
  static async open(
    flags: SettingFlags,
    sources: readonly string[],
    console: Console,
  ): Promise<SettingsReader> {
    return new SettingsReader(
      flags,
      console,
      await readSettingsFile(flags.config, sources, console.io.signal),
    );
  }

  /** Finds what is wrong with the settings file, whether this run needs it or not. */
  check(): void {
    for (const name of settingNames) this.#readMember(name);
    this.#protect();
  }

  local(): LocalSettings {
    return {
      protect: this.#protect(),
      caps: this.#read("max_deletes") ?? defaultCaps,
      strict: this.#read("strict") ?? false,
      parallelism: this.#read("parallelism") ?? 10,
    };
  }

  /** What a server needs; undefined when something is missing, which is among the problems then. */
  async remote(): Promise<RemoteSettings | undefined> {
    const token = await readToken(this.#console, this.problems);
    const baseUrl = this.#read("base_url");
    const organization = this.#read("organization");
    const tokenScheme = this.#read("token_scheme");
    const maxRequests = this.#read("max_requests");
    const cloneTimeout = this.#read("clone_timeout");
    const isAttended = this.#console.io.stderr.isTTY === true;
    const rest = {
      insecureHttp: this.#read("insecure_http") ?? false,
      onQuota: this.#read("on_quota") ?? (isAttended ? "wait" : "fail"),
      logLevel: this.#read("log_level") ?? "silent",
    } as const;
    if (baseUrl === undefined && !this.#misread.has("base_url")) {
      this.problems.push({
        message: "it is not known where the API is",
        advice:
          "set INFRASYNC_BASE_URL, or base_url in infrasync.config.yaml, to a URL like https://api.example.com; to try things out, start `infrasync emulator`",
      });
    }
    if (token === undefined || baseUrl === undefined) return undefined;
    return {
      baseUrl,
      token,
      ...(organization !== undefined && { organization }),
      ...(tokenScheme !== undefined && { tokenScheme }),
      ...(maxRequests !== undefined && { maxRequests }),
      ...(cloneTimeout !== undefined && { cloneTimeout }),
      ...rest,
    };
  }

  #read<Name extends SettingName>(name: Name): SettingValue<Name> | undefined {
    const flag = this.#flags[camelCase(name)];
    if (flag !== undefined) return this.#understand(name, String(flag), { message: flagOf(name) });
    const variable = this.#console.io.env[variableOf(name)];
    if (variable !== undefined && variable !== "") {
      return this.#understand(name, variable, { message: variableOf(name) });
    }
    return this.#readMember(name);
  }

  #readMember<Name extends SettingName>(name: Name): SettingValue<Name> | undefined {
    const member = this.#file.members.get(name);
    if (!member) return undefined;
    const { value, position } = member;
    if (!Array.isArray(value) && !isFields(value))
      return this.#understand(name, String(value ?? ""), { message: name, position });
    this.#misread.add(name);
    this.problems.push({
      message: `${name} is a ${Array.isArray(value) ? "list" : "mapping"}, not a single value`,
      advice: `write ${name}: and its value on one line`,
      position,
    });
    return undefined;
  }

  #understand<Name extends SettingName>(
    name: Name,
    given: string,
    where: Problem,
  ): SettingValue<Name> | undefined {
    const reading = settingReaders[name](given) as Reading<SettingValue<Name>>;
    if ("value" in reading) return reading.value;
    this.#misread.add(name);
    this.problems.push({ ...where, message: `${where.message} ${reading.wrong}`, advice: reading.advice });
    return undefined;
  }

  #protect(): Pattern[] {
    const member = this.#file.members.get("protect");
    if (!member) return [];
    const patterns = Array.isArray(member.value) ? member.value : [member.value];
    return patterns.flatMap((pattern, index) => {
      const position = Array.isArray(member.value) ? member.elementPosition(index) : member.position;
      if (typeof pattern === "string") return readPattern(pattern, this.problems, position);
      this.problems.push({ ...noPattern, position });
      return [];
    });
  }
}

const noPattern: Problem = {
  message: "protect is a list of patterns",
  advice: "write texts such as shop/production/** or job:shop/staging/nightly-*",
};

type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

function camelCase<Name extends string>(name: Name): CamelCase<Name> {
  return name.replaceAll(/_(\w)/g, (_match, letter: string) => letter.toUpperCase()) as CamelCase<Name>;
}
