import { choice, needed, object, text, withoutDefault, word } from "../schema/field.ts";
import { description } from "./fields.ts";
import { secretField } from "../parts/index.ts";
import { defineKind } from "./kind.ts";
import { organizationKind } from "./organization-kind.ts";

/** The API of each hosted provider. */
const publicApis = {
  GITHUB: "https://api.github.com",
  GITLAB: "https://gitlab.com/api/v4",
  BITBUCKET: "https://api.bitbucket.org",
};

/**
 * ```yaml
 * kind: GitToken
 * name: bot
 * type: GITHUB
 * token: { from_env: GITHUB_TOKEN }
 * ```
 */
export const gitToken = defineKind({
  name: "GitToken",
  description: "A token with which the API reads git repositories.",
  ...organizationKind("gitToken", { catalogue: "gitToken" }),
  fields: object({
    description,
    type: needed(choice(["BITBUCKET", "GITHUB", "GITLAB"], "The git provider.")),
    token: needed(secretField("The token itself.")),
    workspace: withoutDefault(word("Workspace, for Bitbucket.")),
    git_api_url: withoutDefault(
      text("URL of the provider's API, for a server of its own.", {
        format: "uri",
        platformSets: Object.entries(publicApis).map(([type, is]) => ({
          is,
          when: { member: "type", is: type },
        })),
      }),
    ),
  }),
  reports: {
    expired_at: { type: "string", description: "The day on which it expires.", alwaysAnswered: false },
    associated_services_count: { type: "integer", description: "Number of services that use it." },
  },
});
