import { isDeepStrictEqual } from "node:util";
import { isFields } from "../../core/values/json.ts";
import type { Scope } from "../../core/model/addresses/scope.ts";
import type { Policy } from "../../core/planning/plan/index.ts";
import type { SpendingLimits } from "../../core/execution/session/index.ts";
import type { PlanPolicy } from "../../core/rules/policies/index.ts";
import type { Position, Problem } from "../../core/problems/problem.ts";
import type { Console } from "../terminal/console.ts";
import type { SettingsPlaces } from "../../core/manifests/settings/find.ts";
import { readSettingsFile, settingsFrom, type SettingsFile } from "./file.ts";
import { camelCase, flagOf, isDeclaredBy, type SettingFlags, settingNames, variableOf } from "./names.ts";
import { type Sections, sectionsIn } from "./sections.ts";
import { protectIn, readProtect } from "../../core/manifests/settings/patterns.ts";
import { type SettingName, settings, type SettingValue, type SettingValues } from "./table.ts";
import { readToken } from "./token.ts";
import { tighterCaps } from "../../core/manifests/settings/values.ts";
import { whyUnwatched } from "./attendance.ts";

/** The settings as declared, which may lack the base URL. */
export interface DeclaredSettings extends SettingValues {
  protect: Scope[];
  policies: readonly PlanPolicy[];
  /** The caps that a settings file states: flags and variables can only lower them. */
  fixedCaps?: Policy["fixedCaps"];
  /** What they state about the requests of a run. */
  fixedSpending?: SpendingLimits;
}

/** The settings of a run that uses a server. Times are in milliseconds. */
export interface Settings extends DeclaredSettings {
  baseUrl: string;
  token: string;
}

/** A value, its text, and the name and position of its source. */
interface SettingSource<Value> {
  value: Value;
  where: string;
  text: string;
  position?: Position | undefined;
}

/** Reads settings from flags, environment variables and the settings file, by the rules of `table.ts`. */
export class SettingsReader {
  readonly problems: Problem[];
  /** Notes for the user, about flags that a settings file restricts further. */
  readonly notes: string[] = [];
  readonly #flags: SettingFlags;
  readonly #console: Console;
  readonly #file: SettingsFile;
  readonly #sections: Sections;
  readonly #misread = new Set<SettingName>();

  readonly #unwatched: string | undefined;

  private constructor(
    flags: SettingFlags,
    console: Console,
    file: SettingsFile,
    sections: Sections,
    unwatched?: string,
  ) {
    this.#flags = flags;
    this.#console = console;
    this.#file = file;
    this.#sections = sections;
    this.#unwatched = unwatched ?? whyUnwatched(console.io);
    this.problems = [...file.problems, ...sections.policyProblems];
  }

  /** Opens the settings file of these places; `unwatched` says why no person watches the run. */
  static async open(
    flags: SettingFlags,
    places: SettingsPlaces,
    console: Console,
    unwatched?: string,
  ): Promise<SettingsReader> {
    const file = await readSettingsFile(flags.config, places, console.io);
    return new SettingsReader(flags, console, file, await sectionsIn(file), unwatched);
  }

  /** Takes a settings file whose content is known. @param name its name in messages */
  static async of(
    flags: SettingFlags,
    console: Console,
    content: Uint8Array,
    name: string,
  ): Promise<SettingsReader> {
    const file = await settingsFrom(content, name);
    return new SettingsReader(flags, console, file, await sectionsIn(file));
  }

  /** Checks all settings in the file, including those that this run does not need. */
  check(): void {
    for (const name of settingNames) this.#inFile(name);
    this.#protect();
  }

  declared(): DeclaredSettings {
    const values = Object.fromEntries(settingNames.map((name) => [camelCase(name), this.#read(name)]));
    const rest = {
      protect: this.#protect(),
      policies: this.#sections.policies,
      ...this.#fixedCaps(),
      fixedSpending: this.#fixedSpending(),
    };
    return { ...(values as unknown as SettingValues), ...rest };
  }

  /** The settings for using a server; undefined when the token or the base URL is missing, which is added to `problems`. */
  async complete(declared: DeclaredSettings): Promise<Settings | undefined> {
    const token = await readToken(this.#console, this.problems);
    const { baseUrl } = declared;
    if (baseUrl === undefined && !this.#misread.has("base_url")) this.problems.push(noBaseUrl);
    return token === undefined || baseUrl === undefined ? undefined : { ...declared, baseUrl, token };
  }

  #read<Name extends SettingName>(name: Name): SettingValue<Name> | undefined {
    const operator = this.#byOperator(name);
    const value = this.#withFile(name, operator, this.#inFile(name));
    return this.#guarded(name, value) ?? this.#default(name);
  }

  /** A value with what the files that can only forbid say. */
  #guarded<Name extends SettingName>(
    name: Name,
    value: SettingValue<Name> | undefined,
  ): SettingValue<Name> | undefined {
    const { inFile, tighter } = settings[name];
    if (inFile !== "tightens" || !tighter) return value;
    const limits = this.#file.guards.flatMap((guard) => this.#inFile(name, guard)?.value ?? []);
    return limits.reduce<SettingValue<Name> | undefined>(
      (left, right) => (left === undefined ? right : tighter(left, right)),
      value,
    );
  }

  /** The value from the flag or the environment variable, which the person who runs the command controls. */
  #byOperator<Name extends SettingName>(name: Name): SettingSource<SettingValue<Name>> | undefined {
    const flag = this.#flags[camelCase(name)];
    if (flag !== undefined && isDeclaredBy(name, "flag"))
      return this.#understand(name, String(flag), flagOf(name));
    const variable = isDeclaredBy(name, "variable") && this.#console.io.env[variableOf(name)];
    return variable ? this.#understand(name, variable, variableOf(name)) : undefined;
  }

  #withFile<Name extends SettingName>(
    name: Name,
    operator: SettingSource<SettingValue<Name>> | undefined,
    file: SettingSource<SettingValue<Name>> | undefined,
  ): SettingValue<Name> | undefined {
    if (!file) return operator?.value;
    const { inFile, tighter } = settings[name];
    if (inFile === "watched") this.#ensureWatched(name, operator, file);
    if (!operator) return file.value;
    if (inFile !== "tightens" || !tighter) return operator.value;
    const tightened = tighter(operator.value, file.value);
    if (!isDeepStrictEqual(tightened, operator.value))
      this.notes.push(
        `Note: ${name}: ${file.text} in ${file.position?.file ?? "the settings file"} is stricter than ${operator.where} ${operator.text}, so the file applies.`,
      );
    return tightened;
  }

  /** In an unattended run, the settings file must not choose where the token is sent: a pull request could change it. */
  #ensureWatched<Name extends SettingName>(
    name: Name,
    operator: SettingSource<SettingValue<Name>> | undefined,
    { value, position }: SettingSource<SettingValue<Name>>,
  ): void {
    const why = this.#unwatched;
    if (why === undefined || isDeepStrictEqual(value, operator ? operator.value : this.#default(name)))
      return;
    this.#misread.add(name);
    const ways = `${variableOf(name)}${isDeclaredBy(name, "flag") ? ` or use ${flagOf(name)}` : ""}`;
    this.problems.push({
      code: "setting",
      message: operator
        ? `${name} in the settings file and ${operator.where} differ, and a run is unattended (${why})`
        : `a settings file cannot set ${name} when a run is unattended (${why})`,
      advice: operator
        ? `write the same in both, or remove ${name} from the file: a repository must not choose where the token is sent`
        : `set ${ways}, and remove ${name} from the file: a repository must not choose where the token is sent`,
      // The line is not shown, because a URL may contain a password.
      ...(position && { position: { ...position, text: `${name}: …` } }),
    });
  }

  #default<Name extends SettingName>(name: Name): SettingValue<Name> | undefined {
    const { default: given, read } = settings[name];
    if (given === undefined) return undefined;
    const isOnTerminal = this.#console.io.stderr.isTTY === true;
    const reading = read(
      typeof given === "string" ? given : isOnTerminal ? given.onTerminal : given.otherwise,
    );
    if ("value" in reading) return reading.value;
    throw new TypeError(`the default of ${name} ${reading.wrong}`);
  }

  #inFile<Name extends SettingName>(
    name: Name,
    file = this.#file,
  ): SettingSource<SettingValue<Name>> | undefined {
    const member = file.members.get(name);
    if (!member) return undefined;
    const { value, position } = member;
    if (!Array.isArray(value) && !isFields(value))
      return this.#understand(name, String(value ?? ""), name, position);
    this.#misread.add(name);
    this.problems.push({
      code: "setting",
      message: `${name} is a ${Array.isArray(value) ? "list" : "mapping"}, not a single value`,
      advice: `write ${name}: and its value on one line`,
      position,
    });
    return undefined;
  }

  #understand<Name extends SettingName>(
    name: Name,
    text: string,
    where: string,
    position?: Position,
  ): SettingSource<SettingValue<Name>> | undefined {
    const { read } = settings[name];
    const reading = read(text);
    if ("value" in reading) return { value: reading.value, where, text, position };
    this.#misread.add(name);
    this.problems.push({
      code: "setting",
      message: `${where} ${reading.wrong}`,
      advice: reading.advice,
      position,
    });
    return undefined;
  }

  #protect(): Scope[] {
    const files = [this.#file, ...this.#file.guards];
    const declared = files.flatMap(({ members }) => members.get("protect") ?? []);
    const { environments, environmentProblems } = this.#sections;
    this.problems.push(...environmentProblems);
    // The protection of every environment holds in every run.
    return [
      ...declared.flatMap((member) => readProtect(member, this.problems)),
      ...protectIn(environments, this.problems),
    ];
  }

  #fixedCaps(): Pick<DeclaredSettings, "fixedCaps"> {
    const declared = [this.#file, ...this.#file.guards].flatMap((file) => {
      const caps = this.#inFile("max_deletes", file)?.value;
      return caps ? [{ file: file.name ?? "the settings file", caps }] : [];
    });
    const [first] = declared;
    return first
      ? { fixedCaps: { ...first, caps: declared.map(({ caps }) => caps).reduce(tighterCaps) } }
      : {};
  }

  #fixedSpending(): SpendingLimits {
    const fixed: SpendingLimits = {};
    for (const file of [this.#file, ...this.#file.guards]) {
      const { name = "the settings file" } = file;
      const value = this.#inFile("max_requests", file)?.value;
      if (value !== undefined && value < (fixed.maxRequests?.value ?? Infinity))
        fixed.maxRequests = { file: name, value };
      if (this.#inFile("on_quota", file)?.value === "fail") fixed.onQuota = name;
    }
    return fixed;
  }
}

const noBaseUrl: Problem = {
  code: "setting",
  message: "the URL of the API is not set",
  advice:
    "set INFRASYNC_BASE_URL, or --base-url, to a URL like https://api.example.com; to try things out, start `infrasync emulator`",
};
