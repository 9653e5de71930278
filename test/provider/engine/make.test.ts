import { expect, test } from "vitest";
import type { Fields } from "../../../core/values/json.ts";
import { chosenFrontEnds } from "./front-ends.ts";
import { program, start } from "./shop.ts";

const documents: Fields[] = [
  { kind: "Project", name: "shop" },
  { kind: "Environment", project: "shop", name: "production", mode: "PRODUCTION" },
  { kind: "Environment", project: "shop", name: "staging", mode: "STAGING" },
  {
    kind: "Job",
    environment: "shop/production",
    name: "migrate",
    cpu: 800,
    memory: 1024,
    source: { image: { registry: "docker-hub", image_name: "acme/migrate", tag: "1" } },
    schedule: { on_start: {} },
  },
];

test.for(chosenFrontEnds)(
  "$name: an up with a clone with overrides and an adoption fails midway, and the next up completes it",
  async (frontEnd, context) => {
    const { server, stack } = await start(context, "", { behaviour: { clone_delay_ms: 300 } }, frontEnd);
    await server.reconcile(documents);
    const before = await server.everything();
    const idOf = (path: string) => JSON.stringify(before.get(path)?.["id"]);
    await server.forgetRequests();

    const text = (migrate: string) =>
      program(`
      const shop = new Project("shop", { name: "shop", adopt: true });
      const staging = new Environment("staging", { project: shop.id, name: "STAGING", adoptId: ${idOf("shop/staging")} });
      const production = new Job("production", { environment: ${idOf("shop/production")}, name: "migrate", adopt: true });
      export const job = new Job("migrate", { environment: staging.id, name: "migrate", cloneFrom: production.id, ${migrate} });
      new Environment("preview", { project: shop.id, name: "preview", cloneFrom: ${idOf("shop/production")}, mode: "PREVIEW" });
    `);

    await stack.rewrite(text("cpu: 250"));
    await server.api("POST", "/_emulator/faults", [{ method: "PUT", path: "/job/*", status: 400, times: 1 }]);
    const failed = await stack.up("--continue-on-error");
    expect(failed.exitCode).not.toBe(0);
    expect(failed.errors.join("\n")).toMatch(
      /it is not finished: the clone \(.*\) has been requested, and the next step failed: 400 on PUT \/job\//,
    );
    const state = (await stack.export()).resources.find(({ urn }) => urn.endsWith("::migrate"));
    const half = (await server.everything()).get("shop/staging/JOB migrate");
    expect(state?.id).toBe(half?.["id"]);

    const healed = await stack.up();
    expect(healed).toMatchObject({ exitCode: 0, errors: [] });
    expect(healed.steps).toContain("update Job migrate");
    const after = await server.everything();
    expect(after.get("shop/staging/JOB migrate")).toMatchObject({ id: half?.["id"], cpu: 250, memory: 1024 });
    expect(after.get("shop/preview")).toMatchObject({ mode: "PREVIEW" });
    expect([...after.keys()].toSorted()).toEqual([
      "shop",
      "shop/preview",
      "shop/preview/JOB migrate",
      "shop/production",
      "shop/production/JOB migrate",
      "shop/staging",
      "shop/staging/JOB migrate",
    ]);
    for (const path of ["shop", "shop/staging", "shop/production/JOB migrate"]) {
      expect(after.get(path)?.["id"]).toBe(before.get(path)?.["id"]);
    }

    // An override that is removed leaves the clone unchanged; another source has no effect.
    await stack.rewrite(text(`cloneFrom: ${idOf("shop")}`));
    expect(await stack.preview("--expect-no-changes")).toMatchObject({ exitCode: 0, errors: [] });
  },
);
