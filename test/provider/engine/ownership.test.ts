import { expect, test } from "vitest";
import { plugin } from "./front-ends.ts";
import { edits, expectKept, processes } from "./ownership.ts";
import { program, start } from "./shop.ts";

/* The edits that the engine carries out by several processes. `ownership.soak.test.ts` has the whole grid. */

const cells = [
  ["rename", "another provider instance", false],
  ["a rename and a move", "another version of the SDK", true],
  ["a move into a component", "from the dynamic provider to the plugin", false],
  ["another provider for the same resource", "another provider instance", false],
] as const satisfies readonly [keyof typeof edits, keyof typeof processes, boolean][];

test.for(cells)(
  "%s with adopt (%s, changed inputs: %s) keeps every live resource",
  async ([edit, where, isChanged], context) => expectKept(context, edit, where, isChanged),
);

test("a cap of deletions counts those of all provider processes, before the first one", async (context) => {
  const jobs = (names: readonly string[]) =>
    plugin.of(
      program(`
        class Infrasync extends sdk.ProviderResource {}
        const second = new Infrasync("infrasync", "second", {});
        const shop = new Project("shop", { name: "shop" });
        const staging = new Environment("staging", { project: shop.id, name: "staging" });
        for (const [index, name] of ${JSON.stringify(names)}.entries())
          new Job(name, {
            environment: staging.id, name,
            source: { image: { registry: "docker-hub", imageName: "acme/report", tag: "1" } },
            schedule: { onStart: {} },
          }, index % 2 === 0 ? {} : { provider: second });
      `),
    );
  const { server, stack } = await start(context, "", {}, { ...plugin, of: (text) => text });
  await stack.rewrite(jobs(["a", "b", "c", "d"]));
  expect(await stack.up()).toMatchObject({ exitCode: 0, errors: [] });
  const before = await server.everything();
  stack.environment["INFRASYNC_MAX_DELETES"] = "2";
  await stack.rewrite(jobs([]));
  const { exitCode, errors } = await stack.up();
  expect(exitCode).not.toBe(0);
  expect(errors.join("\n")).toContain("4");
  expect(await server.everything()).toEqual(before);
  stack.environment["INFRASYNC_MAX_DELETES"] = "4";
  expect(await stack.up()).toMatchObject({ exitCode: 0, errors: [] });
  expect((await server.everything()).size).toBe(2);
});

test("the dynamic provider sees the options that transformations of the stack and of a component add", async (context) => {
  const text = (cpu: number, tag: string) =>
    `import * as sdk from "@pulumi/pulumi";\n${program(`
      sdk.runtime.registerStackTransformation(({ props, opts, type }) =>
        type.endsWith(":Job") ? { props, opts: { ...opts, ignoreChanges: ["source.image.tag"] } } : undefined);
      const group = new sdk.ComponentResource("test:index:Group", "group", {}, {
        transformations: [({ props, opts }) => ({ props, opts: { ...opts, retainOnDelete: true, customTimeouts: { update: "7m" } } })],
      });
      const shop = new Project("shop", { name: "shop" });
      const staging = new Environment("staging", { project: shop.id, name: "staging" });
      sdk.runtime.registerStackTransformation(({ props, opts }) => ({ props, opts }));
      new Job("nightly", {
        environment: staging.id, name: "nightly", cpu: ${cpu},
        source: { image: { registry: "docker-hub", imageName: "acme/report", tag: "${tag}" } },
        schedule: { onStart: {} },
      }, { parent: group });
    `)}`;
  const { server, stack } = await start(context, text(500, "1"));
  expect(await stack.up()).toMatchObject({ exitCode: 0, errors: [] });
  const byCi = { source: { image: { tag: "9" } } };
  await server.reconcile([{ kind: "Job", environment: "shop/staging", name: "nightly", ...byCi }]);
  await stack.rewrite(text(600, "2"));
  expect(await stack.up()).toMatchObject({ exitCode: 0, steps: ["update Job nightly"] });
  expect((await server.everything()).get("shop/staging/JOB nightly")).toMatchObject({ cpu: 600, ...byCi });
  const { resources } = await stack.export();
  const job = resources.find(({ urn }) => urn.endsWith("Job::nightly"));
  expect(job?.inputs).toMatchObject({
    __resource: job?.urn,
    __retained: true,
    __timeouts: { update: "7m" },
    __ignored: ["source.image.tag"],
  });
  expect(resources.find(({ urn }) => urn.endsWith("::staging"))?.inputs).not.toHaveProperty("__ignored");
});

test("two dynamic resources of one name under different parents are two, and one of them can replace the other", async (context) => {
  const jobs = (first: string, second: string) =>
    `import * as sdk from "@pulumi/pulumi";\n${program(`
      const shop = new Project("shop", { name: "shop" });
      const staging = new Environment("staging", { project: shop.id, name: "staging" });
      for (const name of ["one", "two"]) {
        const inputs = JSON.parse(${JSON.stringify(JSON.stringify({ one: 1, two: 2 }))})[name] === 1 ? ${first} : ${second};
        if (inputs === undefined) continue;
        const parent = new sdk.ComponentResource("test:index:" + name, name);
        new Job("nightly", {
          environment: staging.id,
          source: { image: { registry: "docker-hub", imageName: "acme/report", tag: "1" } },
          schedule: { onStart: {} }, ...inputs,
        }, { parent });
      }
    `)}`;
  const { server, stack } = await start(context, jobs('{ name: "a" }', '{ name: "b" }'));
  expect(await stack.up()).toMatchObject({ exitCode: 0, errors: [] });
  const before = await server.everything();
  // The second one adopts what the first one had.
  await stack.rewrite(jobs("undefined", '{ name: "b" }'));
  const up = await stack.up();
  expect(up).toMatchObject({ exitCode: 0, errors: [] });
  expect(up.steps).toContain("delete Job nightly");
  const after = await server.everything();
  expect([...after.keys()].toSorted()).toEqual(["shop", "shop/staging", "shop/staging/JOB b"]);
  expect(after.get("shop/staging/JOB b")?.["id"]).toBe(before.get("shop/staging/JOB b")?.["id"]);
  await stack.rewrite(jobs('{ name: "b", adopt: true }', "undefined"));
  expect(await stack.up()).toMatchObject({ exitCode: 0, errors: [] });
  expect(await server.everything()).toEqual(after);
  expect(await stack.up("--refresh")).toMatchObject({ exitCode: 0, errors: [], steps: [] });
});
