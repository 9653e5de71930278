import {
  choice,
  list,
  object,
  required,
  type DeclaredValue,
  text,
  word,
} from "../../core/model/schema/field.ts";
import { type Formats, ruled } from "../../core/model/schema/format.ts";
import { declaredFormats } from "../declaration-formats.ts";
import { isSafeUrl } from "./safe-url.ts";

/** The roles of people; each includes those before it. */
export const roles = ["see", "operate", "approve"] as const;

export type Role = (typeof roles)[number];

const environments = "PROJECT/ENVIRONMENT, with `*` for anything within a name and `**` for any names";

const names = "A name, with `*` for anything within it.";

export const accessSchema = object("Roles for the service, and limits of its repository.", {
  sign_in: object("Sign-in by OpenID Connect.", {
    issuer: required(text("URL of the provider.", { format: "web-url" })),
    client_id: required(word("Id of the client that is registered at the provider.")),
    url: required(
      text("URL of the page as browsers reach it, such as `https://infra.example.com`. It has no path.", {
        format: "page-url",
      }),
    ),
    groups_claim: word("The claim with the groups of a person; default: `groups`."),
  }),
  roles: list(
    object({
      role: required(
        choice([...roles], "`see`; `operate`, which includes `see`; or `approve`, which includes both."),
      ),
      group: word("Group of the identity provider with the role."),
      token_file: word("File with a token that has the role."),
      name: word("The name of the token in the audit."),
      environments: list(
        text(environments, { format: "environments" }),
        `Where: ${environments}; default: everywhere.`,
      ),
      teams: list(word(names), "Of a service with many sources: the teams; default: all."),
      sources: list(word(names), "Of a service with many sources: the sources; default: all."),
    }),
    "Roles of people and tokens.",
  ),
  ignore: list(
    object({
      kinds: required(
        list(text("A kind, such as `Application`.", { format: "kind" }), "The kinds of the documents."),
      ),
      fields: required(
        list(
          word("A path, as in `manage.ignore`: `FIELD` or `FIELD.MEMBER`."),
          "Fields that others may change after creation.",
        ),
      ),
      environments: list(
        text(environments, { format: "environments" }),
        `Where: ${environments}; default: everywhere.`,
      ),
    }),
    "Fields that all documents ignore, as if each had them in `manage.ignore`.",
  ),
  limits: object("Limits of the repository.", {
    environments: list(
      text(environments, { format: "environments" }),
      `Environments that manifests may declare: ${environments}.`,
    ),
    kinds: list(text("A kind, such as `Job`.", { format: "kind" }), "The kinds that manifests may declare."),
  }),
});

/** The content of the access file. */
export type DeclaredAccess = DeclaredValue<typeof accessSchema>;

export const accessFormats: Formats = {
  ...declaredFormats,
  "web-url": ruled(webUrl, { examples: ["https://login.example.com"] }),
  "page-url": ruled(
    (given) => {
      const { origin, pathname = "/", search = "", hash = "" } = URL.parse(given) ?? {};
      if (`${pathname}${search}${hash}` === "/") return webUrl(given);
      return {
        message:
          "has more than a host, but the page is at the root of its host: its links and cookies begin there",
        advice: `write ${origin}, and serve the page there`,
      };
    },
    { examples: ["https://infra.example.com"] },
  ),
};

function webUrl(given: string): { message: string; advice: string } | undefined {
  return isSafeUrl(URL.parse(given))
    ? undefined
    : { message: "is not an https URL", advice: "write one such as https://login.example.com" };
}
