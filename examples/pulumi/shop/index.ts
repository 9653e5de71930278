import { Application, Environment, Job, Project } from "infrasync/provider";

const shop = new Project("shop", { name: "shop", description: "The shop, from catalogue to checkout" });

const production = new Environment("production", {
  project: shop.id,
  name: "production",
  mode: "PRODUCTION",
  cluster: "eu-west", // a cluster of the organization, by name or id
});

const staging = new Environment("staging", {
  project: shop.id,
  name: "staging",
  mode: "STAGING",
  cluster: "us-east",
});

// The same application in both: what differs is an argument.
function web(environment: Environment, label: string, branch: string, instances: number): Application {
  return new Application(`web-${label}`, {
    environment: environment.id,
    name: "web",
    gitRepository: { url: "https://github.com/acme/shop", branch, rootPath: "/web", gitToken: "github-main" },
    dockerfilePath: "Dockerfile",
    cpu: 1000,
    memory: 1024,
    minRunningInstances: instances,
    maxRunningInstances: instances * 3,
    ports: [{ internalPort: 8080, publiclyAccessible: true, name: "http" }],
    healthchecks: { readinessProbe: { type: { http: { path: "/ready", port: 8080 } } } },
    labelsGroups: ["team-labels"],
  });
}
web(production, "production", "main", 2);
web(staging, "staging", "develop", 1);

// A cron job runs on a schedule …
const report = new Job("report", {
  environment: production.id,
  name: "nightly-report",
  source: { image: { registry: "docker-hub", imageName: "acme/report", tag: "1.4.2" } },
  schedule: {
    cronjob: { scheduledAt: "0 3 * * *", timezone: "Europe/Paris", arguments: ["--all"] },
  },
  maxDurationSeconds: 3600,
});

// … a lifecycle job when its environment starts, stops or is deleted.
const migrate = new Job("migrate", {
  environment: production.id,
  name: "migrate",
  source: {
    docker: {
      gitRepository: { url: "https://github.com/acme/shop", branch: "main", rootPath: "/database" },
      dockerfilePath: "migrate.Dockerfile",
    },
  },
  schedule: { onStart: { entrypoint: "/app/migrate", arguments: ["up"] } },
  cpu: 500,
  memory: 256,
});

// Made as a clone of the one in production; what is stated here is laid over it.
new Job("migrate-staging", {
  environment: staging.id,
  name: "migrate",
  cloneFrom: migrate.id,
  cpu: 250,
});

export const projectId = shop.id;
export const stagingId = staging.id;
export const reportRunsOn = report.schedule.apply(({ cronjob }) => cronjob?.scheduledAt);
export const mostCpu = report.maximumCpu;
