import { parseReference } from "../../core/address.ts";
import { kinds } from "../../core/kinds/index.ts";
import { parsePattern, type StatedBy } from "../../core/pattern.ts";
import { InvalidInputError } from "../../core/problem.ts";
import { cronMistake } from "../../core/schema/cron.ts";
import type { FieldSchema } from "../../core/schema/field-schema.ts";
import {
  choice,
  flag,
  keyed,
  list,
  map,
  object,
  required,
  text,
  wholeNumber,
  type Stated,
  word,
} from "../../core/schema/field.ts";
import { type Formats, plainFormats, ruled } from "../../core/schema/formats.ts";
import type { Restriction } from "../../core/restriction.ts";
import type { Mistake } from "../../core/source/mistake.ts";
import { environmentNames } from "./shares.ts";
import { everBegins } from "./windows.ts";

/** The reaction to a difference, the strictest first: nothing, a report, or an apply. */
export const modes = ["off", "report", "apply"] as const;

export type Mode = (typeof modes)[number];

const rules = {
  on_commit: choice(
    [...modes],
    "What to do with a commit: `apply` it, `report` what it would change, or `off`: ignore it.",
  ),
  on_drift: choice(
    [...modes],
    "What to do when live resources differ from the applied commit: `apply` undoes the difference.",
  ),
  on_failure: choice(
    ["report", "rollback"],
    "What to do when a deployment of a commit has failed: `rollback` applies the documents of the last commit that was healthy there, once; default: `report`.",
  ),
  prune: flag(
    "`false`: prune nothing, also where the service is started with the consent to prune and the document of the environment agrees.",
  ),
};

/** The schema of the policy file. */
export const policySchema = object(
  {
    ...rules,
    max_deletes: object(
      {
        commit: wholeNumber("By one commit, however many cycles that takes.", { minimum: 0 }),
        day: wholeNumber("In any 24 hours, by all commits.", { minimum: 0 }),
      },
      "The most that is deleted or replaced, in all environments together: resources, and what an update removes, such as variables.",
    ),
    previews: object(
      {
        from: required(
          text("The environment that previews are clones of, such as `shop/staging`.", {
            format: "environment",
          }),
        ),
        label: word("The label of the pull requests that get a preview; default: `preview`."),
        max: wholeNumber("The most previews at the same time; default: 5.", { minimum: 0 }),
        expires_after: text("How long a preview exists, such as `3d`; default: `7d`.", {
          format: "duration",
        }),
        cron_jobs: flag("`true`: cron jobs are deployed too; default: they exist but are not deployed."),
        auto_preview: flag("`true`: services keep their `auto_preview`; default: it is off."),
        services: keyed(
          {
            pattern: "^[a-z]+:[^/]+$",
            message: "is not a service",
            advice: "write KIND:NAME, such as application:api",
          },
          map("Fields as in a manifest, with `{sha}`, `{branch}` and `{number}` in texts."),
          "Fields that differ in the services of a preview, such as `application:api: { git_repository: { branch: '{branch}' } }`.",
        ),
      },
      "An environment for each open pull request with a label.",
    ),
    environments: keyed(
      {
        pattern: "^[^/]+/[^/]+$|\\*\\*",
        message: "is not a pattern of environments",
        advice: "write PROJECT/ENVIRONMENT",
      },
      object(
        {
          ...rules,
          suspend: object(
            {
              until: required(text("When it ends, such as `2026-12-01T08:00:00Z`.", { format: "date-time" })),
              reason: required(word("Why.")),
            },
            "Nothing is applied until then; differences are reported.",
          ),
          promote: object(
            {
              after: required(text("The environment, such as `shop/staging`.", { format: "environment" })),
              healthy_for: required(
                text("For how long it has to be healthy with the commit, such as `10m`.", {
                  format: "duration",
                }),
              ),
            },
            "The environment that has to be in step and healthy before commits are applied here.",
          ),
          windows: list(
            object({
              allow: text("When a time for changes begins, as a cron expression.", {
                format: "window",
              }),
              deny: text("When a time without changes begins, as a cron expression.", { format: "window" }),
              duration: required(text("How long it is: `9h` or `2d`.", { format: "duration" })),
              timezone: text("Time zone of the cron expression, such as `Europe/Paris`; default: `UTC`.", {
                format: "time-zone",
              }),
            }),
            "When changes may be made: within a window that allows, if there is any, and within none that denies. Differences are reported at all times.",
          ),
        },
        "Rules for the environments that match the pattern. If several patterns match, the strictest value applies.",
      ),
      "Rules by environment: `PROJECT/ENVIRONMENT`, with `*` for anything within a name and `**` for any names.",
    ),
  },
  "What the reconciler may do, by environment. A commit can forbid what flags allow, and allow nothing that they forbid.",
);

const notEnvironment: Mistake = {
  message: "is not an environment",
  advice: "write PROJECT/ENVIRONMENT, such as shop/staging",
};

/** The content of a policy file. */
export type StatedPolicy = Stated<typeof policySchema>;

/** The formats of files of the operator and of policies. */
export const statedFormats: Formats = {
  ...plainFormats,
  environment: ruled(
    (given) => (parseReference(given).length === 2 && !given.includes("*") ? undefined : notEnvironment),
    { examples: ["shop/staging"] },
  ),
  environments: ruled(
    (given) => {
      const pattern = readEnvironmentPattern(given);
      return "matches" in pattern ? undefined : pattern;
    },
    { examples: ["shop/production", "*/production"] },
  ),
  kind: ruled(
    (given) =>
      kinds.some(({ name }) => name === given)
        ? undefined
        : { message: "is not a kind", advice: "write one such as Job" },
    { examples: ["Job"] },
  ),
  window: ruled(
    (given) =>
      cronMistake(given) ??
      (everBegins(given)
        ? undefined
        : {
            message: "never begins: there is no time that it means",
            advice: "write a day that the month has",
          }),
    plainFormats["cron"]?.editor ?? {},
  ),
  "date-time": ruled(dateTimeMistake, { format: "date-time", examples: ["2026-12-01T08:00:00Z"] }),
};

function dateTimeMistake(given: string): Mistake | undefined {
  const [, year, month, day] =
    /^(\d{4})-(\d\d)-(\d\d)T\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i.exec(given) ?? [];
  const isDay = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() === Number(day);
  return isDay && !Number.isNaN(Date.parse(given))
    ? undefined
    : {
        message: "is not a time with a time zone",
        advice: "write one such as 2026-12-01T08:00:00Z or 2026-12-01T08:00:00+01:00",
      };
}

/** A choice of environments by their names. */
export interface EnvironmentPattern {
  text: string;
  /** What it restricts, where a file states it. */
  restriction?: Restriction;
  /** @param names those of a project and an environment, of a project alone, or none: the organization */
  matches(names: readonly string[]): boolean;
}

/**
 * Reads a pattern of environments; gives its mistake if it can choose none.
 *
 * @param by the statement of a file that restricts environments with it; absent: it chooses
 */
export function readEnvironmentPattern(given: string, by?: StatedBy): EnvironmentPattern | Mistake {
  const names = given.replace(/^environment:/i, "");
  try {
    const pattern = parsePattern(`environment:${names}`, by && { ...by, text: given });
    // `shop/**` also stands for the project itself.
    const whole = names.split("/").includes("**") ? parsePattern(`project:${names}`) : undefined;
    const kindOf = (slug: string) => ({ slug, name: slug });
    const matches = (its: readonly string[]) => {
      // `**` also stands for what is in no project.
      if (its.length === 0) return names === "**";
      if (its.length === 1) return whole?.matches({ kind: kindOf("project"), names: its }) === true;
      return pattern.matches({ kind: kindOf("environment"), names: its });
    };
    return {
      text: given,
      matches,
      ...(pattern.restriction && {
        restriction: { ...pattern.restriction, matches: (address) => matches(environmentNames(address)) },
      }),
    };
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    return {
      message: "is not a pattern of environments",
      advice: "write PROJECT/ENVIRONMENT, with * for anything within a name and ** for any names",
    };
  }
}

/** The JSON Schema (draft-07) of the policy file, for editors. */
export function policyFileSchema(): object {
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "infrasync: policy of the reconciler",
    ...forEditors(policySchema),
  };
}

function forEditors(schema: FieldSchema): object {
  const { type, description, properties, required: needed, entries, items, keys, format, minLength } = schema;
  return {
    type,
    ...(description !== undefined && { description: description.replaceAll("`", "") }),
    ...(schema.enum && { enum: schema.enum }),
    ...(minLength !== undefined && { minLength }),
    ...(schema.minimum !== undefined && { minimum: schema.minimum }),
    ...(format !== undefined && statedFormats[format]?.editor),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([member, inner]) => [member, forEditors(inner)]),
      ),
      ...(needed && { required: needed }),
      additionalProperties: false,
    }),
    ...(items && { items: forEditors(items) }),
    ...(entries && {
      ...(keys && { propertyNames: { pattern: keys.pattern } }),
      additionalProperties: forEditors(entries),
    }),
  };
}
