import { Type, type Static } from "typebox";
import { description, environmentMode, maybe, name, oneOf, text, uri, withDefault } from "./common.ts";

const about = {
  website_url: maybe(Type.String()),
  repository: maybe(Type.String()),
  logo_url: maybe(Type.String()),
  icon_url: maybe(Type.String()),
  admin_emails: maybe(Type.Array(Type.String())),
};

export const OrganizationRequest = Type.Object({
  name,
  description: maybe(Type.String()),
  plan: oneOf(
    "FREE",
    "TEAM",
    "TEAM_YEARLY",
    "ENTERPRISE",
    "ENTERPRISE_YEARLY",
    "PROFESSIONAL",
    "BUSINESS",
    "USER_2025",
    "TEAM_2025",
    "BUSINESS_2025",
    "ENTERPRISE_2025",
  ),
  ...about,
});
export type OrganizationRequest = Static<typeof OrganizationRequest>;

export const OrganizationEditRequest = Type.Object({ name, description, ...about });

/** The names of events: the API has two for some. */
const webhookEvents = [
  "DEPLOYMENT_STARTED",
  "DEPLOYMENT_CANCELLED",
  "DEPLOYMENT_FAILURE",
  "DEPLOYMENT_SUCCESSFUL",
  "DEPLOYMENT_FAILED",
  "DEPLOYMENT_SUCCEEDED",
] as const;

export const WebhookRequest = Type.Object({
  kind: withDefault(oneOf("STANDARD", "SLACK"), "STANDARD"),
  target_url: uri,
  target_secret: text,
  description,
  enabled: Type.Optional(Type.Boolean({ default: true })),
  events: Type.Array(oneOf(...webhookEvents)),
  project_names_filter: Type.Optional(Type.Array(Type.String())),
  environment_types_filter: Type.Optional(Type.Array(environmentMode)),
});
export type WebhookRequest = Static<typeof WebhookRequest>;

/** The recipient of invoices. */
export const BillingInfoRequest = Type.Object({
  first_name: Type.String(),
  last_name: Type.String(),
  email: Type.String({ format: "email" }),
  address: Type.String(),
  city: Type.String(),
  zip: Type.String(),
  state: text,
  country_code: Type.String(),
  company: text,
  vat_number: text,
});
