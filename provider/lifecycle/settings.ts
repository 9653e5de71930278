import { readFile } from "node:fs/promises";
import type { ServerHabits } from "../../core/api/index.ts";
import { unknownVariables } from "../../core/unknown-variables.ts";
import type { Json } from "../../core/json.ts";
import { parsePattern, type Pattern } from "../../core/pattern.ts";
import type { PlanPolicy } from "../../core/policies/index.ts";
import { InvalidInputError } from "../../core/problem.ts";
import { durationAdvice, durationOf } from "../../core/schema/duration.ts";
import { readServer } from "../../core/settings/server.ts";
import { policiesIn } from "./policies.ts";
import { SettingsError } from "./settings-error.ts";

/** The stack's configuration: `infrasync:baseUrl` gives a value, or nothing. */
export interface Config {
  /** The value of a key such as `infrasync:token`. */
  get(key: string): string | undefined;
}

/** The connection to the API. */
export interface ProviderSettings {
  baseUrl: string;
  token: string;
  /** Where the token comes from, for messages. */
  tokenSource: string;
  organization?: string;
  scheme?: "Token" | "Bearer";
  insecureHttp: boolean;
  /** Takes over existing resources with the names of new ones, as if every resource had `adopt: true`. */
  adopt: boolean;
  /** An import states every field, also those with their defaults. */
  importAllFields: boolean;
  onQuota: "wait" | "fail";
  /** The names of resources that cost money and that the program may create, change and delete. */
  allowInfrastructure: readonly string[];
  /** The addresses of resources that may lose data, secrets and the like by an update. */
  allowLosses: readonly Pattern[];
  /** The addresses of resources that lose nothing, and that are neither deleted nor replaced. */
  protect: readonly Pattern[];
  /** The policies of the team, which judge each change. */
  policies: readonly PlanPolicy[];
  /** How many resources and parts of resources one run may lose; absent: any number. */
  maxDeletes?: number;
  /** Milliseconds that a clone may take. */
  cloneTimeout?: number;
  /** The differences of the server from the API's description. */
  server?: ServerHabits;
}

const choices = {
  tokenScheme: ["Token", "Bearer"],
  adopt: ["true", "false"],
  importAllFields: ["true", "false"],
  insecureHttp: ["true", "false"],
  onQuota: ["wait", "fail"],
} as const;

/** The mistake in a value of the stack's configuration: `infrasync:onQuota cannot be …`. Undefined if the value is right. */
export function settingMistake(key: string, value: string): string | undefined {
  return mistakeIn(key, { value, source: `infrasync:${key}` });
}

/** The settings with a form of their own, beside those of `choices`. */
const formed = ["allowLosses", "protect", "cloneTimeout", "server", "maxDeletes"];

function mistakeIn(key: string, setting: GivenSetting): string | undefined {
  try {
    if (key === "allowLosses" || key === "protect") patterns(setting);
    if (key === "cloneTimeout") durationIn(setting);
    if (key === "server") serverIn(setting);
    if (key === "maxDeletes") countIn(setting);
    const known = Object.entries(choices).find(([name]) => name === key)?.[1];
    if (known) word(setting, known);
    return undefined;
  } catch (error) {
    if (error instanceof SettingsError) return error.message;
    throw error;
  }
}

/**
 * Reads the settings: environment variables override the stack's configuration.
 *
 * @throws SettingsError with all that is wrong or missing
 */
export async function readSettings(
  config: Config | undefined,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<ProviderSettings> {
  const read = (key: string): GivenSetting | undefined => given(config, environment, key);
  const mistakes = unknownVariables(environment).map(({ message, advice }) => `${message}; ${advice}`);
  const baseUrl = read("baseUrl");
  if (!baseUrl)
    mistakes.push(
      "the URL of the API is not set; run `pulumi config set infrasync:baseUrl https://api.example.com`, or set INFRASYNC_BASE_URL",
    );
  const token = await readToken(config, environment).catch((error: unknown) => {
    if (!(error instanceof SettingsError)) throw error;
    mistakes.push(error.message);
  });
  for (const key of [...formed, ...Object.keys(choices)]) {
    const setting = read(key);
    const mistake = setting && mistakeIn(key, setting);
    if (mistake !== undefined) mistakes.push(mistake);
  }
  if (mistakes.length > 0 || !baseUrl || !token) throw new SettingsError(mistakes.join("\n"));
  const organization = read("organization")?.value;
  const scheme = word(read("tokenScheme"), choices.tokenScheme);
  const cloneTimeout = durationIn(read("cloneTimeout"));
  const server = serverIn(read("server"));
  const maxDeletes = countIn(read("maxDeletes"));
  const policies = read("policies");
  return {
    baseUrl: baseUrl.value,
    token: token.value,
    tokenSource: token.source,
    ...(organization !== undefined && { organization }),
    ...(scheme && { scheme }),
    adopt: adoptsAll(config, environment),
    allowInfrastructure: listed(read("allowInfrastructure")),
    allowLosses: patterns(read("allowLosses")),
    protect: patterns(read("protect")),
    policies: policies ? await policiesIn(policies.value, policies.source) : [],
    ...(maxDeletes !== undefined && { maxDeletes }),
    importAllFields: word(read("importAllFields"), choices.importAllFields) === "true",
    insecureHttp: word(read("insecureHttp"), choices.insecureHttp) === "true",
    onQuota: word(read("onQuota"), choices.onQuota) ?? "wait",
    ...(cloneTimeout !== undefined && { cloneTimeout }),
    ...(server && { server }),
  };
}

/** Whether every creation takes over an existing resource of the name. */
export function adoptsAll(config: Config | undefined, environment: NodeJS.ProcessEnv): boolean {
  return word(given(config, environment, "adopt"), choices.adopt) === "true";
}

/** Whether a setting names a file of policies. */
export function hasPolicies(config: Config | undefined, environment: NodeJS.ProcessEnv): boolean {
  return given(config, environment, "policies") !== undefined;
}

function listed({ value }: { value: string } = { value: "" }): string[] {
  return value
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

function patterns(setting: GivenSetting | undefined): Pattern[] {
  try {
    return listed(setting).map((text) => parsePattern(text));
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    const [{ message, advice } = { message: "" }] = error.problems;
    throw new SettingsError(`${setting?.source}: ${message}${advice === undefined ? "" : `; ${advice}`}`);
  }
}

interface GivenSetting {
  value: string;
  source: string;
}

/** `INFRASYNC_BASE_URL` for `baseUrl`. */
export function variableOf(key: string): string {
  return `INFRASYNC_${key.replaceAll(/[A-Z]/g, "_$&").toUpperCase()}`;
}

function given(
  config: Config | undefined,
  environment: NodeJS.ProcessEnv,
  key: string,
): GivenSetting | undefined {
  const variable = variableOf(key);
  const fromEnvironment = environment[variable];
  if (fromEnvironment) return { value: fromEnvironment, source: variable };
  const configured = config?.get(`infrasync:${key}`);
  return configured ? { value: configured, source: `infrasync:${key}` } : undefined;
}

async function readToken(config: Config | undefined, environment: NodeJS.ProcessEnv): Promise<GivenSetting> {
  const file = environment["INFRASYNC_TOKEN_FILE"];
  if (!environment["INFRASYNC_TOKEN"] && file)
    return { value: await readTokenFile(file), source: "INFRASYNC_TOKEN_FILE" };
  const token = given(config, environment, "token");
  if (token?.source !== "infrasync:token" && token) return token;
  if (token) return { ...token, source: "infrasync:token in the configuration of the stack" };
  throw new SettingsError(
    "there is no token; run `pulumi config set --secret infrasync:token`, or set INFRASYNC_TOKEN, or INFRASYNC_TOKEN_FILE to a file that contains the token",
  );
}

async function readTokenFile(file: string): Promise<string> {
  try {
    return (await readFile(file, "utf8")).trim();
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    // Neither the message nor the cause may contain the name of the file: it may be the token itself, put there by
    // mistake.
    throw new SettingsError(
      `the file that INFRASYNC_TOKEN_FILE names cannot be read (${code}); name a file that holds the token`,
    );
  }
}

function word<Word extends string>(
  setting: GivenSetting | undefined,
  words: readonly Word[],
): Word | undefined {
  if (!setting) return undefined;
  const found = words.find((known) => known === setting.value);
  if (found !== undefined) return found;
  throw new SettingsError(`${setting.source} cannot be "${setting.value}"; set it to ${words.join(" or ")}`);
}

function durationIn(setting: GivenSetting | undefined): number | undefined {
  if (!setting) return undefined;
  const milliseconds = durationOf(setting.value);
  if (milliseconds !== undefined) return milliseconds;
  throw new SettingsError(`${setting.source} cannot be "${setting.value}"; ${durationAdvice}`);
}

function countIn(setting: GivenSetting | undefined): number | undefined {
  if (!setting) return undefined;
  if (/^\d{1,9}$/.test(setting.value)) return Number(setting.value);
  throw new SettingsError(`${setting.source} cannot be "${setting.value}"; write a number, such as 10`);
}

function serverIn(setting: GivenSetting | undefined): ServerHabits | undefined {
  if (!setting) return undefined;
  const positionOf = () => ({ file: setting.source, line: 1, column: 1, text: "" });
  const { server, problems } = readServer({ value: parsed(setting), positionOf });
  if (problems.length === 0) return server;
  const what = problems.map(({ message, advice }) => `${message}; ${advice}`).join("; ");
  throw new SettingsError(`${setting.source}: ${what}`);
}

function parsed({ value, source }: GivenSetting): Json {
  try {
    return JSON.parse(value) as Json;
  } catch {
    throw new SettingsError(`${source} is not JSON; write, for example, {"forbidden_for_missing": true}`);
  }
}
