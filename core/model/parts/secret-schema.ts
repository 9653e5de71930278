import { mapValues } from "../../values/json.ts";
import { flag, keyed, object, text, word } from "../schema/field.ts";
import type { FieldSchema } from "../schema/field-schema.ts";
import { keys, outputMembers } from "./variable-schema.ts";

const source = (description: string, options: Partial<FieldSchema> = {}) =>
  word(description, { resettable: false, neverShown: true, place: "document", ...options });

export const secretSources = {
  from_env: source("Environment variable that contains the value during the apply.", {
    format: "environment-variable",
    examples: ["SHOP_DATABASE_PASSWORD"],
  }),
  from_file: source("File that contains the value; its path is relative to the manifest.", {
    besideManifest: "path",
    format: "file",
    examples: ["password.txt"],
  }),
  from_sops: source(
    'A key of a file that the program sops decrypts, such as `secrets.sops.yaml#users[0].password`; `["a.b"]` is a key with a dot. The path of the file is relative to the manifest.',
    { besideManifest: "path#key", format: "sops", examples: ["secrets.sops.yaml#database.password"] },
  ),
  from_command: source("Command that prints the value; it runs only if the run allows commands.", {
    examples: ["pass show shop/database"],
  }),
};

/** The member beside a source that restricts the value. */
export const besideSource = {
  allow_empty: flag("Whether the value may be empty or blank; the default is an error.", {
    default: false,
    neverShown: true,
    resettable: false,
    place: "document",
  }),
};

/** The member with which a secret is written again. */
export const versionMember = {
  version: text(
    "Version: infrasync writes the secret again when the version changes, and stores the version in the description.",
    { default: "", maxLength: 200, inDescription: true },
  ),
};

/** A secret, as documents and programs declare it. */
export const secretEntry = object(
  undefined,
  {
    ...secretSources,
    ...besideSource,
    value: word("Value. `KEY: text` is short for `KEY: { value: text }`.", {
      resettable: false,
      neverShown: true,
      place: "program",
    }),
    ...versionMember,
    rotate: flag("Whether this run writes it again.", { default: false, place: "engine" }),
  },
  {
    short: "value",
    alternatives: [["from_env"], ["from_file"], ["from_sops"], ["from_command"], ["value"]],
    needsOneOf: ["from_env", "from_file", "from_sops", "from_command", "value"],
  },
);

/** A text that the API never shows: documents name its source, programs contain it; `shownBy`: the member that says it exists. */
export const secretField = (description: string, shownBy?: string): FieldSchema => ({
  ...secretEntry,
  description,
  secret: true,
  resettable: false,
  ...(shownBy !== undefined && { shownBy }),
});

/** `secretField` for a resource without a description: its live name keeps the version. */
export function secretFieldOfName(description: string, shownBy?: string): FieldSchema {
  const { version, ...properties } = secretEntry.properties ?? {};
  const ofName =
    "Version: infrasync writes the secret again when the version changes; the live name ends with the version.";
  return {
    ...secretField(description, shownBy),
    properties: { ...properties, version: { ...version, description: ofName } },
  };
}

const description =
  "Secrets by their keys; only those that are declared are written, and their values are never shown.";

/** A secret with a scope, which may override one of a scope above. */
const scopedSecret: FieldSchema = {
  ...secretEntry,
  properties: {
    ...secretEntry.properties,
    mount_path: word("Where its value is mounted as a file in the container.", {
      resettable: false,
      doubt: "mountPoint",
      examples: ["/etc/tls/server.key"],
    }),
    overrides: flag("Whether it overrides a secret with the same key of a parent.", { default: false }),
    description: text("Purpose.", { maxLength: 255, default: "" }),
  },
};

/** The member `secrets` of projects, environments and the like. */
export const secretsSchema = keyed(keys, scopedSecret, description);

/** The member `secrets` of services, which can use outputs of others. */
export const serviceSecretsSchema = keyed(
  keys,
  {
    ...scopedSecret,
    properties: {
      ...scopedSecret.properties,
      ...mapValues(outputMembers, (schema) => ({ ...schema, place: "document" as const })),
    },
    alternatives: [...(scopedSecret.alternatives ?? []), ["from", "output"]],
    needsOneOf: [...(scopedSecret.needsOneOf ?? []), "from"],
  },
  description,
);
