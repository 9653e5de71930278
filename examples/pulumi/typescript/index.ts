// The shop as a TypeScript program that uses the plugin.
import * as infrasync from "@infrasync/pulumi";

const cluster = await infrasync.getCluster({ name: "eu-west" });

const shop = new infrasync.Project("shop", { name: "shop-typescript" });

const staging = new infrasync.Environment("staging", {
  project: shop.id,
  name: "staging",
  mode: "STAGING",
  cluster: cluster.name,
});

const nightly = new infrasync.Job("nightly", {
  environment: staging.id,
  name: "nightly",
  source: { image: { registry: "docker-hub", imageName: "acme/report", tag: "1.4.2" } },
  schedule: { cronjob: { scheduledAt: "0 3 * * *", timezone: "Europe/Paris" } },
});

export const jobType = nightly.jobType;
