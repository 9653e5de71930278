import type { Remedy, RemedySetting } from "../core/remedy.ts";

const settings: Record<RemedySetting, Remedy[]> = {
  base_url: [{ setting: "base_url" }, { setting: "base_url", value: "https://api.example.com" }],
  organization: [{ setting: "organization" }, { setting: "organization", oneOf: ["acme (1)", "other (2)"] }],
  insecure_http: [{ setting: "insecure_http" }],
  on_quota: [{ setting: "on_quota", value: "wait" }],
  max_requests: [{ setting: "max_requests" }],
  max_deletes: [{ setting: "max_deletes", value: "30%" }],
  clone_timeout: [{ setting: "clone_timeout" }],
  targets: [{ setting: "targets", value: "shop/**" }],
  settings_file: [{ setting: "settings_file" }],
  saved_plan: [{ setting: "saved_plan" }],
  plan_output: [{ setting: "plan_output" }],
  plan_file: [{ setting: "plan_file" }],
};

/** Every remedy that there is, for the tests of the front ends. The compiler tells when a setting is missing. */
export const remedies: Remedy[] = [
  ...Object.values(settings).flat(),
  { consent: "replace", address: "job:shop/staging/migrate" },
  { consent: "prune" },
  { consent: "prune", document: true },
  { again: "plan" },
  { again: "run" },
  { again: "later" },
];
