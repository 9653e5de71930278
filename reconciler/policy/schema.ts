import { cronMistake } from "../../core/model/schema/cron.ts";
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
  type DeclaredValue,
  word,
} from "../../core/model/schema/field.ts";
import { forEditors } from "../../core/model/schema/for-editors.ts";
import { type Formats, ruled } from "../../core/model/schema/format.ts";
import { declaredFormats } from "../declaration-formats.ts";
import { everBegins } from "./windows.ts";

/** The reaction to a difference, the strictest first: nothing, a report, or an apply. */
export const modes = ["off", "report", "apply"] as const;

export type Mode = (typeof modes)[number];

const rules = {
  on_commit: choice(
    [...modes],
    "Reaction to a commit: `apply` it, `report` its changes, or `off`: ignore it.",
  ),
  on_drift: choice([...modes], "Reaction to drift: `apply` undoes it."),
  on_failure: choice(
    ["report", "rollback"],
    "Reaction to a failed deployment of a commit: `rollback` applies the documents of the last commit that was healthy there, once; default: `report`.",
  ),
  retry: object(
    "Deploys a service again whose deployment has failed; default: never. `on_failure` comes after the last retry.",
    {
      limit: required(
        wholeNumber("Number of retries, until the service is healthy or its documents change.", {
          minimum: 0,
          maximum: 10,
        }),
      ),
      backoff: required(
        text("Time between the failure and the retry, such as `5m`; doubled with each retry.", {
          format: "duration",
        }),
      ),
    },
  ),
  prune: flag(
    "`false`: prune nothing, even if the service runs with --prune and the document of the environment has `prune: true`.",
  ),
};

export const policySchema = object(
  "Limits of the reconciler, by environment. A commit can make them stricter than the flags, never wider.",
  {
    ...rules,
    max_deletes: object(
      "Limit for deletions and replacements in all environments together: of resources, and of parts that an update removes, such as variables.",
      {
        commit: wholeNumber("By one commit, in all its cycles together.", { minimum: 0 }),
        day: wholeNumber("In any 24 hours, by all commits.", { minimum: 0 }),
      },
    ),
    previews: object("An environment for each open pull request with a label.", {
      from: required(
        text("The environment that previews are clones of, such as `shop/staging`.", {
          format: "environment",
        }),
      ),
      label: word("The label of the pull requests that get a preview; default: `preview`."),
      max: wholeNumber("The most previews at the same time; default: 5.", { minimum: 0 }),
      expires_after: text("How long a preview exists, such as `3d`; default: `7d`.", { format: "duration" }),
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
    }),
    environments: keyed(
      {
        pattern: "^[^/]+/[^/]+$|\\*\\*",
        message: "is not a pattern of environments",
        advice: "write PROJECT/ENVIRONMENT",
      },
      object(
        "Rules for the environments that match the pattern. If several patterns match, the strictest value applies.",
        {
          ...rules,
          suspend: object("Nothing is applied until then; differences are reported.", {
            until: required(text("When it ends, such as `2026-12-01T08:00:00Z`.", { format: "date-time" })),
            reason: required(word("Why.")),
          }),
          promote: object(
            "The environment that has to be synced and healthy before commits are applied here.",
            {
              after: required(text("The environment, such as `shop/staging`.", { format: "environment" })),
              healthy_for: required(
                text("The time that it must be healthy with the commit, such as `10m`.", {
                  format: "duration",
                }),
              ),
            },
          ),
          windows: list(
            object({
              allow: text("When a time for changes begins, as a cron expression.", { format: "window" }),
              deny: text("When a time without changes begins, as a cron expression.", { format: "window" }),
              duration: required(text("How long it is: `9h` or `2d`.", { format: "duration" })),
              timezone: text("Time zone of the cron expression, such as `Europe/Paris`; default: `UTC`.", {
                format: "time-zone",
              }),
            }),
            "Times of changes: within an `allow` window, if there is one, and outside all `deny` windows. Differences are reported at all times.",
          ),
        },
      ),
      "Rules by environment: `PROJECT/ENVIRONMENT`, with `*` for anything within a name and `**` for any names.",
    ),
  },
);

export const policyFormats: Formats = {
  ...declaredFormats,
  window: ruled(
    (given) =>
      cronMistake(given) ??
      (everBegins(given)
        ? undefined
        : { message: "never begins: no date matches it", advice: "write an existing day of the month" }),
    declaredFormats["cron"]?.editor ?? {},
  ),
};

/** The JSON Schema (draft-07) of the policy file, for editors. */
export function policyFileSchema(): object {
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "infrasync: policy of the reconciler",
    ...forEditors(policySchema, policyFormats),
  };
}

export type DeclaredPolicy = DeclaredValue<typeof policySchema>;
