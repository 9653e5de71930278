import { path } from "../../api/index.ts";
import { list, object, text, withoutDefault } from "../schema/field.ts";
import { description } from "./fields.ts";
import { defineKind } from "./kind.ts";

const link = (what: string) => withoutDefault(text(what, { format: "uri" }));

/**
 * ```yaml
 * kind: Organization
 * name: acme
 * description: The shop and its tools.
 * manage: { prune: [LabelsGroup] }
 * ```
 */
export const organization = defineKind({
  name: "Organization",
  description: "The settings of the organization. Runs never create or delete it.",
  use: "settings",
  fields: object({
    description,
    website_url: link("Web site."),
    repository: link("Main repository."),
    logo_url: link("Logo."),
    icon_url: link("Icon."),
    admin_emails: list(text(), "Addresses of its administrators.", { default: [] }),
  }),
  listing: { path: (id) => path`/organization/${id}`, onDemand: true, isSingle: true },
  requests: { create: () => path`/organization`, one: (id) => path`/organization/${id}` },
  parts: [],
  facts: ["plan", "organization_plan"],
  reports: {},
});
