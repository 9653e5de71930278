import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { unknownVariables } from "../../core/manifests/settings/unknown-variables.ts";
import { parsePattern, type Pattern } from "../../core/model/addresses/pattern.ts";
import { parseScope, type Scope } from "../../core/model/addresses/scope.ts";
import type { PlanPolicy } from "../../core/rules/policies/index.ts";
import { InvalidInputError } from "../../core/problems/problem.ts";
import {
  duration,
  oneOf,
  type SettingRead,
  text,
  wholeNumber,
  yesOrNo,
} from "../../core/manifests/settings/values.ts";
import { type StackSetting, SettingsError, rulesFor, sayRules } from "./rules-file.ts";
import { codeOf } from "../../core/values/error-code.ts";

/** The stack's configuration: `infrasync:baseUrl` has a value or none. */
export interface Config {
  /** The value of a key. @param key such as `infrasync:token` */
  get(key: string): string | undefined;
}

export interface ProviderSettings {
  baseUrl: string;
  token: string;
  /** For messages. */
  tokenSource: string;
  organization?: string;
  scheme?: "Token" | "Bearer";
  insecureHttp: boolean;
  /** Adopts existing resources with the names of new ones, as if every resource had `adopt: true`. */
  adopt: boolean;
  /** An import declares all fields, including defaults. */
  importAllFields: boolean;
  onQuota: "wait" | "fail";
  /** The names of resources that cost money and that the program may write. */
  allowInfrastructure: readonly string[];
  /** The addresses of resources that may lose data, secrets and the like by an update. */
  allowLosses: readonly Pattern[];
  /** The addresses of resources that lose nothing, and that are neither deleted nor replaced. */
  protect: readonly Scope[];
  policies: readonly PlanPolicy[];
  /** The limit of losses, in resources and parts of resources, of one run; absent: none. */
  maxDeletes?: number;
  /** The line of the file with the limit, which no setting raises. */
  maxDeletesFile?: string;
  /** The environment variables that override the configuration, by setting. */
  sources: Readonly<Record<string, string>>;
  /** The file with the rules of the team, or that there is none, in words. */
  rules: string;
  /** Milliseconds that a clone may take. */
  cloneTimeout?: number;
}

/** Readers of the texts of settings. */
const readers = {
  baseUrl: text,
  organization: text,
  tokenScheme: oneOf("Token", "Bearer"),
  allowInfrastructure: (names: string) => ({ value: listed(names) }),
  allowLosses: (addresses: string) => patterns(addresses, parsePattern),
  protect: (addresses: string) => patterns(addresses, parseScope),
  policies: text,
  maxDeletes: wholeNumber(0),
  cloneTimeout: duration,
  adopt: yesOrNo,
  importAllFields: yesOrNo,
  insecureHttp: yesOrNo,
  onQuota: oneOf("wait", "fail"),
} as const;

type Key = keyof typeof readers;

type ValueOf<Name extends Key> = Extract<ReturnType<(typeof readers)[Name]>, { value: unknown }>["value"];

/** The mistake in a value of the stack's configuration: `infrasync:onQuota cannot be …`. Undefined: none. */
export function settingMistake(key: string, value: string): string | undefined {
  if (!isKey(key)) return undefined;
  const reading = readers[key](value);
  return "value" in reading ? undefined : mistakeOf(reading, `infrasync:${key}`);
}

function isKey(key: string): key is Key {
  return Object.hasOwn(readers, key);
}

function mistakeOf({ wrong, advice }: { wrong: string; advice: string }, source: string): string {
  return `${source}${wrong.startsWith(":") ? "" : " "}${wrong}${advice === "" ? "" : `; ${advice}`}`;
}

/** Reads the settings: environment variables override the stack's. @throws SettingsError with all mistakes */
export async function readSettings(
  config: Config | undefined,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<ProviderSettings> {
  const mistakes = unknownVariables(environment).map(({ message, advice }) => `${message}; ${advice}`);
  if (!given(config, environment, "baseUrl"))
    mistakes.push(
      "the URL of the API is not set; run `pulumi config set infrasync:baseUrl https://api.example.com`, or set INFRASYNC_BASE_URL",
    );
  const noted = (error: unknown): undefined => {
    if (!(error instanceof SettingsError)) throw error;
    mistakes.push(error.message);
  };
  const token = await readToken(config, environment).catch(noted);
  const values: { [Name in Key]?: ValueOf<Name> } = Object.fromEntries(
    Object.keys(readers)
      .filter(isKey)
      .flatMap((key) => {
        const setting = given(config, environment, key);
        if (!setting) return [];
        const reading = readers[key](setting.value);
        if ("value" in reading) return [[key, reading.value]];
        mistakes.push(mistakeOf(reading, setting.source));
        return [];
      }),
  );
  const named = given(config, environment, "policies");
  const rules = await rulesFor(named).catch(noted);
  const { baseUrl, tokenScheme: scheme, policies: _file, protect = [], maxDeletes, ...others } = values;
  if (mistakes.length > 0 || baseUrl === undefined || !token || !rules)
    throw Object.assign(new SettingsError(mistakes.join("\n")), rules ? {} : { inRules: mistakes.at(-1) });
  const { count = Infinity, file } = rules.maxDeletes ?? {};
  const most = Math.min(maxDeletes ?? Infinity, count);
  return {
    allowInfrastructure: [],
    allowLosses: [],
    importAllFields: false,
    insecureHttp: false,
    adopt: false,
    onQuota: "wait",
    ...others,
    baseUrl,
    token: token.value,
    tokenSource: token.source,
    ...(scheme && { scheme }),
    protect: [...protect, ...rules.protect],
    policies: rules.policies,
    rules: sayRules(named),
    sources: Object.fromEntries(
      Object.keys(readers).flatMap((key) => (environment[variableOf(key)] ? [[key, variableOf(key)]] : [])),
    ),
    ...(most < Infinity && { maxDeletes: most }),
    ...(most === count && file !== undefined && { maxDeletesFile: file }),
  };
}

function listed(names: string): string[] {
  return names
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

function patterns<Read>(addresses: string, parse: (text: string) => Read): SettingRead<Read[]> {
  try {
    return { value: listed(addresses).map((one) => parse(one)) };
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    const [{ message, advice = "" } = { message: "" }] = error.problems;
    return { wrong: `: ${message}`, advice };
  }
}

/** `INFRASYNC_BASE_URL` for `baseUrl`. */
export function variableOf(key: string): string {
  return `INFRASYNC_${key.replaceAll(/[A-Z]/g, "_$&").toUpperCase()}`;
}

function given(
  config: Config | undefined,
  environment: NodeJS.ProcessEnv,
  key: string,
): StackSetting | undefined {
  const variable = variableOf(key);
  const fromEnvironment = environment[variable];
  if (fromEnvironment) return { value: fromEnvironment, source: variable };
  const configured = config?.get(`infrasync:${key}`);
  return configured ? { value: configured, source: `infrasync:${key}` } : undefined;
}

async function readToken(config: Config | undefined, environment: NodeJS.ProcessEnv): Promise<StackSetting> {
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
    const code = codeOf(error) ?? "unknown";
    // Neither the message nor the cause may contain the name of the file: it may be the token itself, put there by
    // mistake.
    throw new SettingsError(
      `the file that INFRASYNC_TOKEN_FILE names cannot be read (${code}); name a file that holds the token`,
    );
  }
}

/** Which organization these settings mean, in a form that shows no token. Two forms can mean one organization. */
export function organizationOf({ baseUrl, token, organization }: ProviderSettings): string {
  return createHash("sha256")
    .update(JSON.stringify([baseUrl, token, organization]))
    .digest("hex");
}
