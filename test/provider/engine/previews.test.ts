import { expect, test } from "vitest";
import { nothing, program, start } from "./shop.ts";

const text = (tag: string, use: string, options = "{}") =>
  program(`
    const shop = new Project("shop", { name: "shop" });
    const staging = new Environment("staging", { project: shop.id, name: "staging", cluster: "eu-west" });
    const first = new Job("first", {
      environment: staging.id, name: "first",
      source: { image: { registry: "docker-hub", imageName: "acme/report", tag: "${tag}" } },
      schedule: { onStart: {} },
    }, ${options});
    ${use}
  `);

test("a reference output is unknown until the resource exists, in a preview and in an up", async (context) => {
  const use = `
    new Job("second", {
      environment: staging.id, name: "second",
      source: {
        image: {
          registry: first.source.apply((source) => source?.image?.registry?.id ?? ""),
          imageName: "acme/report", tag: first.source.apply((source) => source?.image?.tag ?? ""),
        },
      },
      schedule: { onStart: {} },
    });
    new Environment("production", {
      project: shop.id, name: staging.cluster.apply((cluster) => cluster?.name?.toUpperCase() ?? ""),
    });
    export const tag = first.source.image?.apply((image) => image?.tag);
  `;
  const { stack, server } = await start(context, text("1", use));
  expect(await stack.preview()).toMatchObject({ exitCode: 0, errors: [] });
  expect(await stack.up()).toMatchObject({ exitCode: 0, errors: [] });
  const live = await server.everything();
  expect(live.get("shop/staging/JOB second")).toBeDefined();
  expect(await stack.preview()).toMatchObject(nothing);
  await stack.rewrite(text("2", use));
  expect(await stack.preview()).toMatchObject({ exitCode: 0, errors: [] });
  const { errors, exitCode, steps } = await stack.up();
  expect({ errors, exitCode }).toEqual({ errors: [], exitCode: 0 });
  expect(steps.toSorted()).toEqual(["update Job first", "update Job second"]);
});

test("a replacement that the engine requests deletes first", async (context) => {
  const { stack, server } = await start(context, text("1", ""));
  expect(await stack.up()).toMatchObject({ exitCode: 0, errors: [] });
  const idNow = async () => (await server.everything()).get("shop/staging/JOB first")?.["id"];
  const urn =
    (await stack.export()).resources.find((resource) => resource.urn.endsWith("::first"))?.urn ?? "";
  const before = await idNow();
  expect(await stack.up("--replace", urn)).toMatchObject({ exitCode: 0, errors: [] });
  const after = await idNow();
  expect(after).toBeDefined();
  expect(after).not.toBe(before);
  expect(await stack.up("--target-replace", urn)).toMatchObject({ exitCode: 0, errors: [] });
  expect(await idNow()).not.toBe(after);
  expect(await stack.preview()).toMatchObject(nothing);
});

test("a retained resource cannot be replaced under its name, and the preview reports it", async (context) => {
  const { stack, server } = await start(context, text("1", "", "{ retainOnDelete: true }"));
  expect(await stack.up()).toMatchObject({ exitCode: 0, errors: [] });
  const before = await server.everything();
  const cron = text("1", "", "{ retainOnDelete: true }").replace(
    "onStart: {}",
    'cronjob: { scheduledAt: "0 3 * * *" }',
  );
  await stack.rewrite(cron);
  const refused = await stack.preview();
  expect(refused.errors.join("\n")).toContain(
    'the Job "first" must be replaced, but its option `retainOnDelete: true` keeps the old one and its name; remove the option, or give the new one another name',
  );
  expect((await stack.up()).exitCode).not.toBe(0);
  expect(await server.everything()).toEqual(before);
  await stack.rewrite(text("1", "", "{ retainOnDelete: true }"));
  expect(await stack.up()).toMatchObject(nothing);
  await stack.rewrite(cron.replace('name: "first"', 'name: "another"'));
  expect(await stack.up()).toMatchObject({ exitCode: 0, errors: [] });
  expect([...(await server.everything()).keys()]).toEqual(
    expect.arrayContaining(["shop/staging/JOB first", "shop/staging/JOB another"]),
  );
});
