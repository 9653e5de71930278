/** A project with one environment, for tests that put something into it. */
export const shop = `kind: Project
name: shop
---
kind: Environment
project: shop
name: staging
mode: STAGING
cluster: eu-west
`;

/** The manifest of a cron job; `more` is YAML of further members. */
export function cronJob(name: string, more = "", environment = "shop/staging"): string {
  return `---
kind: Job
environment: ${environment}
name: ${name}
cpu: 500
memory: 512
source:
  image: { registry: docker-hub, image_name: acme/report, tag: 1.4.2 }
schedule:
  cronjob: { scheduled_at: "0 3 * * *", timezone: Europe/Paris }
${more}`;
}

/** The manifest of a lifecycle job. */
export function lifecycleJob(name: string, more = "", environment = "shop/staging"): string {
  return `---
kind: Job
environment: ${environment}
name: ${name}
source:
  image: { registry: docker-hub, image_name: acme/migrate, tag: 2.0.0 }
schedule:
  on_start: { arguments: [--up] }
${more}`;
}
