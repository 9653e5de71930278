import type { FieldSchema } from "../../core/schema/field-schema.ts";
import { choice, list, object, required, word } from "../../core/schema/field.ts";

/** The roles of people; each includes those before it. */
export const roles = ["see", "operate", "approve"] as const;

export type Role = (typeof roles)[number];

const environments = "PROJECT/ENVIRONMENT, with `*` for anything within a name and `**` for any names";

const names = "A name, with `*` for anything within it.";

/** The schema of the access file. */
export const accessSchema: FieldSchema = object(
  {
    sign_in: object(
      {
        issuer: required(word("URL of the provider.")),
        client_id: required(word("The client that the provider knows infrasync as.")),
        url: required(word("URL of the page as browsers reach it, such as `https://infra.example.com`.")),
        groups_claim: word("The claim with the groups of a person; default: `groups`."),
      },
      "Sign-in by OpenID Connect.",
    ),
    roles: list(
      object({
        role: required(
          choice([...roles], "`see`, `operate`, which includes it, or `approve`, which includes both."),
        ),
        group: word("Who has the role: a group that the provider tells."),
        token_file: word("Or whoever has the token in this file."),
        name: word("The name of the token in the audit."),
        environments: list(word(environments), `Where: ${environments}; default: everywhere.`),
        teams: list(word(names), "Of a service with many sources: those of which teams; default: all."),
        sources: list(word(names), "Of a service with many sources: which; default: all."),
      }),
      "Who may do what.",
    ),
    ignore: list(
      object({
        kinds: required(list(word("A kind, such as `Application`."), "The kinds of the documents.")),
        fields: required(
          list(
            word("A path, as in `manage.ignore`: `FIELD` or `FIELD.MEMBER`."),
            "Fields that others may change after creation.",
          ),
        ),
        environments: list(word(environments), `Where: ${environments}; default: everywhere.`),
      }),
      "Fields that all documents ignore, as if each had them in `manage.ignore`.",
    ),
    limits: object(
      {
        environments: list(word(environments), `What manifests may describe: ${environments}.`),
        kinds: list(word("A kind, such as `Job`."), "The kinds that manifests may describe."),
      },
      "What the repository may change.",
    ),
  },
  "Who may act on the service, and what its repository may change.",
);
