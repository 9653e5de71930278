import { adviceOnName } from "../../core/model/schema/suggest.ts";
import { isFields, type Json, mapFields } from "../../core/values/json.ts";
import { packageName } from "./types.ts";
import {
  type CheckResult,
  type Config,
  type InputMistake,
  type Properties,
  secretProperty,
  settingMistake,
  unknownValue,
} from "../lifecycle/index.ts";

export const settings: Readonly<Record<string, string>> = {
  token: "The API token.",
  baseUrl: "The URL of the API.",
  organization: "Name or id of the organization, if the token sees several.",
  tokenScheme: "`Token` or `Bearer`; by default chosen by the form of the token.",
  onQuota: "When the quota is used up: `wait` for its reset (default) or `fail`.",
  adopt: "`true`: every creation adopts an existing resource of that name.",
  allowInfrastructure:
    "Names of clusters and credentials, separated by commas, that the program may create, change and delete: they cost money, or take down what runs on them.",
  allowLosses:
    "Addresses of resources, separated by commas, of which an update may take data and secrets: `database:shop/staging/orders`, with `*` for anything within a name and `**` for any names.",
  protect:
    "Addresses of resources, separated by commas, that are protected: no loss, no deletion, no replacement: `shop/production/**`.",
  policies:
    "The settings file whose policies, protected resources and limit of deletions judge each change, in place of `infrasync.config.yaml` in the folder of the program or above: `./rules.yaml`.",
  maxDeletes:
    "How many resources, and parts of resources such as variables, one run may delete or replace; by default any number.",
  cloneTimeout: "How long a clone may take: `90s`, `5m` (default), `1h`.",
  importAllFields:
    "`true`: an import declares every field. Otherwise it leaves out a field with its default value, except fields that people often change, such as sizes.",
  insecureHttp: "`true` allows plain http to another machine.",
};

/** The settings that nobody may read. */
export const secretSettings = ["token"];

/** Members of a provider's inputs that are the engine's. */
const engineSettings = new Set(["version", "pluginDownloadURL", "parameterization"]);

/** Checks the configuration of the provider, without a request. The token is secret whether it was set so or not. */
export function checkConfiguration(news: Properties): CheckResult {
  const failures = Object.entries(news).flatMap(([key, value]): InputMistake[] => {
    if (engineSettings.has(key) || key.startsWith("__") || value === unknownValue) return [];
    const reason = mistakeOf(key, value);
    return reason === undefined ? [] : [{ property: key, reason }];
  });
  const secrets = secretSettings.filter((key) => Object.hasOwn(news, key)).map((key) => `/${key}`);
  return { inputs: { ...news, [secretProperty]: secrets }, failures };
}

function mistakeOf(key: string, value: Json): string | undefined {
  if (Object.hasOwn(settings, key)) {
    if (isFields(value) || Array.isArray(value)) return `${packageName}:${key} must be a text`;
    return value === null ? undefined : settingMistake(key, String(value));
  }
  return `there is no setting ${packageName}:${key}; ${adviceOnName(key, Object.keys(settings), "there are")}`;
}

/** The settings as the lifecycle reads them. */
export function configOf(inputs: Properties): Config {
  const values = mapFields(inputs, (value) => (value === null ? undefined : value));
  return {
    get(key) {
      const value = values[key.slice(packageName.length + 1)];
      return value === undefined || typeof value === "object" ? undefined : String(value);
    },
  };
}
