import { parsePattern } from "../../../core/index.ts";

export const shop = `
kind: Project
name: shop
---
kind: Environment
project: shop
name: staging
mode: STAGING
cluster: eu-west
`;

export const job = (name: string, rest = "", environment = "shop/staging") => `
---
kind: Job
environment: ${environment}
name: ${name}
source: { image: { registry: docker-hub, image_name: acme/report, tag: "1" } }
schedule: { cronjob: { scheduled_at: "0 3 * * *", timezone: UTC } }
${rest}
`;

export const application = (name: string, rest = "") => `
---
kind: Application
environment: shop/staging
name: ${name}
git_repository: { url: https://github.com/acme/api, branch: main }
ports: [{ internal_port: 8080, publicly_accessible: true }]
${rest}
`;

export const database = { name: "db", type: "POSTGRESQL", version: "16", mode: "CONTAINER" };

export const allow = (...patterns: string[]) => ({
  allowReplace: patterns.map((pattern) => parsePattern(pattern)),
});
