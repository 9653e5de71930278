import { Config, getStack, StackReference } from "@pulumi/pulumi";
import { Deployment, Environment, Job } from "infrasync/provider";

// A stack for each branch: `pulumi stack init fix-login`, `pulumi up`, and `pulumi destroy` when it is merged.
const branch = getStack();
const shop = new StackReference(new Config().require("shop"));

// A clone of staging, with all its services and variables, under another name.
const preview = new Environment("preview", {
  project: shop.requireOutput("projectId"),
  name: `preview-${branch}`,
  cloneFrom: shop.requireOutput("stagingId"),
  mode: "PREVIEW",
  // A `pulumi destroy` also deletes the services that came with the clone, which this program does not describe.
  deleteContents: true,
});

// The clone has this job already: the program adopts it, and overrides some fields.
const migrate = new Job("migrate", {
  environment: preview.id,
  name: "migrate",
  adopt: true,
  source: { docker: { gitRepository: { branch } } },
  memory: 512,
});

// Deploys the job when the preview is ready, and again when the program declares something else for it.
new Deployment("deployment", { services: [migrate], triggers: [branch, 512], wait: true });

export const environmentId = preview.id;
export const migrateCpu = migrate.cpu; // as in staging: it is not stated here
