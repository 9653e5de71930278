import { expect, test } from "vitest";
import { summary } from "../../fixtures/harness.ts";
import { frontEndsOf } from "./front-ends.ts";
import { nothing, shop, start } from "./shop.ts";

const manifests = `
kind: Project
name: shop
---
kind: Environment
project: shop
name: staging
mode: STAGING
cluster: eu-west
---
kind: Application
environment: shop/staging
name: api
git_repository: { url: "https://github.com/acme/api", branch: main }
ports: [{ internal_port: 8080, publicly_accessible: true }]
---
kind: Job
environment: shop/staging
name: nightly
source: { image: { registry: docker-hub, image_name: acme/report, tag: 1.4.2 } }
schedule: { cronjob: { scheduled_at: "0 3 * * *", timezone: Europe/Paris } }
`;

test.for(frontEndsOf(import.meta.filename))(
  "$name: resources created by the CLI or by Pulumi show no change in the other",
  async (frontEnd, context) => {
    const { server, stack } = await start(context, shop(), {}, frontEnd);
    expect(await stack.up()).toMatchObject({ exitCode: 0, errors: [] });
    expect(summary(await server.plan(manifests))).toEqual([]);

    await server.reconcile(manifests.replace("schedule: ", "cpu: 900\nschedule: "));
    await stack.refresh();
    await stack.rewrite(shop("cpu: 900,"));
    expect(await stack.up()).toMatchObject(nothing);
  },
);

test.for(frontEndsOf(import.meta.filename))(
  "$name: Pulumi adopts resources of the command line without a write",
  async (frontEnd, context) => {
    const adopting = shop("adopt: true,").replaceAll(/(name: "(?:shop|staging|api)")/g, "$1, adopt: true");
    const { server, stack } = await start(context, adopting, {}, frontEnd);
    await server.reconcile(manifests);
    await server.forgetRequests();
    expect(await stack.up()).toMatchObject({ exitCode: 0, errors: [] });
    expect(await server.writes()).toEqual([]);
  },
);
