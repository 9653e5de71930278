import { describe, expect, test } from "vitest";
import { summary } from "../../fixtures/harness.ts";
import { shop as shopManifest } from "../../fixtures/manifests.ts";
import { serialisedProvider } from "../dynamic/serialised.ts";
import { type FrontEnd, frontEnds, chosenFrontEnds } from "./front-ends.ts";
import { nothing, shop, start } from "./shop.ts";

const created = [
  "create Application api",
  "create Environment staging",
  "create Job nightly",
  "create Project shop",
];

/** The same resources for the command line. */
const manifests = `${shopManifest}---
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

const named = (all: readonly FrontEnd[]) =>
  all.map((frontEnd): [string, FrontEnd] => [frontEnd.name, frontEnd]);

describe.each(named(frontEnds))("%s", (_name, frontEnd) => {
  test("preview reads only the lists of what is named, up creates what the command line would, a second up changes nothing, destroy deletes everything", async (context) => {
    const { server, stack } = await start(context, shop(), {}, frontEnd, { usesLanguageHost: true });
    const preview = await stack.preview();
    expect(preview).toMatchObject({ exitCode: 0, errors: [] });
    expect(preview.steps.toSorted()).toEqual(created);
    expect(await server.seenInOrganization()).toEqual(["GET cluster", "GET containerRegistry"]);

    const up = await stack.up();
    expect(up).toMatchObject({ exitCode: 0, errors: [] });
    expect(up.steps.toSorted()).toEqual(created);
    expect([...(await server.everything()).keys()].toSorted()).toEqual([
      "shop",
      "shop/staging",
      "shop/staging/APPLICATION api",
      "shop/staging/JOB nightly",
    ]);

    expect(summary(await server.plan(manifests))).toEqual([]);

    const { resources } = await stack.export();
    for (const { type, inputs } of frontEnd.name === "dynamic" ? resources : []) {
      expect(inputs?.["__provider"]).toBe(await serialisedProvider(type.split(":").at(-1) ?? ""));
    }

    await server.forgetRequests();
    expect(await stack.up("--skip-preview=false")).toMatchObject(nothing);
    expect(await server.seen()).toEqual([]);
    expect(await stack.refresh()).toMatchObject(nothing);
    // One list of projects, of environments and of services each.
    expect((await server.seen()).length).toBe(3);

    expect(await stack.destroy()).toMatchObject({ exitCode: 0, errors: [] });
    expect((await server.everything()).size).toBe(0);
  });
});

describe.each(named(chosenFrontEnds))("%s", (_name, frontEnd) => {
  const isPlugin = frontEnd.name === "plugin";
  test("an update changes a field in place, an immutable field replaces the resource after its dependants, and a refresh shows drift, which up reverts", async (context) => {
    const { server, stack } = await start(context, shop(), {}, frontEnd);
    await stack.up();
    await stack.rewrite(shop("cpu: 700,"));
    expect(await stack.up("--diff")).toMatchObject({
      exitCode: 0,
      steps: ["update Job nightly"],
      stdout: expect.stringMatching(isPlugin ? /~ cpu *: 500 => 700/ : /\+ cpu *: 700/),
    });
    expect((await server.everything()).get("shop/staging/JOB nightly")).toMatchObject({ cpu: 700 });

    const before = await server.everything();
    await stack.rewrite(shop("", 'cluster: "us-eats",'));
    const misspelt = await stack.up();
    expect(misspelt.errors.join("\n")).toMatch(
      /Environment resource 'staging' has a problem: the Environment \\?"staging\\?" cannot be replaced: cluster: there is no cluster \\?"us-eats\\?"; did you mean us-east/,
    );
    expect(await server.everything()).toEqual(before);

    await stack.rewrite(shop("", 'cluster: "us-east",'));
    const { steps, exitCode } = await stack.up();
    expect(exitCode).toBe(0);
    expect(steps.slice(0, 4).toSorted()).toEqual([
      "create-replacement Environment staging",
      "delete-replaced Application api",
      "delete-replaced Environment staging",
      "delete-replaced Job nightly",
    ]);
    expect(steps.slice(2, 4)).toEqual([
      "delete-replaced Environment staging",
      "create-replacement Environment staging",
    ]);
    expect(steps.slice(4).toSorted()).toEqual([
      "create-replacement Application api",
      "create-replacement Job nightly",
    ]);
    const live = await server.everything();
    expect(live.get("shop/staging")).toMatchObject({ cluster_name: "us-east" });
    expect(live.get("shop/staging/JOB nightly")).toMatchObject({ cpu: 500 });

    await stack.rewrite(shop("cpu: 700,", 'cluster: "us-east",'));
    await stack.up();
    const replaced = await server.everything();
    const application = String(replaced.get("shop/staging/APPLICATION api")?.["id"]);
    await server.reconcile([
      { kind: "Job", environment: "shop/staging", name: "nightly", cpu: 900, memory: 1024 },
    ]);
    await server.api("DELETE", `/application/${application}`);

    const refresh = await stack.refresh("--diff");
    expect(refresh).toMatchObject({ exitCode: 0, errors: [] });
    expect(refresh.steps.toSorted()).toEqual(["delete Application api", "update Job nightly"]);
    expect(refresh.stdout).toMatch(/~ cpu *: 700 => 900/);
    // The plugin shows the properties that the program declares.
    if (!isPlugin) expect(refresh.stdout).toMatch(/~ memory *: 512 => 1024/);

    const up = await stack.up("--diff");
    expect(up.steps.toSorted()).toEqual(["create Application api", "update Job nightly"]);
    expect(up.stdout).toMatch(/~ cpu *: 900 => 700/);
    expect((await server.everything()).get("shop/staging/JOB nightly")).toMatchObject({
      cpu: 700,
      memory: 1024,
    });
  });
});
