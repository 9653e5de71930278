import { LocalWorkspace } from "@pulumi/pulumi/automation/index.js";
import { expect, test } from "vitest";
import { frontEnds, chosenFrontEnds } from "./front-ends.ts";
import { nothing, program, stagingWithJobs, start } from "./shop.ts";

test.for(chosenFrontEnds)(
  "$name: replaceOnChanges replaces, or a warning says that it has no effect",
  async (frontEnd, context) => {
    const text = (cpu: number) =>
      program(`
        const shop = new Project("shop", { name: "shop" });
        const staging = new Environment("staging", { project: shop.id, name: "staging" });
        new Job("nightly", {
          environment: staging.id, name: "nightly", cpu: ${cpu},
          source: { image: { registry: "docker-hub", imageName: "acme/report", tag: "1" } },
          schedule: { onStart: {} },
        }, { replaceOnChanges: ["cpu"] });
      `);
    const { stack } = await start(context, text(500), {}, frontEnd);
    expect(await stack.up()).toMatchObject({ exitCode: 0, errors: [] });
    await stack.rewrite(text(600));
    const { steps, errors, stdout } = await stack.up();
    expect(errors).toEqual([]);
    if (frontEnd.name === "plugin") {
      expect(steps).toEqual(["delete-replaced Job nightly", "create-replacement Job nightly"]);
    } else {
      expect(steps).toEqual(["update Job nightly"]);
      expect(stdout).toContain(
        "replaceOnChanges has no effect, because Pulumi does not tell it to dynamic providers",
      );
    }
    expect(await stack.preview()).toMatchObject(nothing);
  },
);

test.for(chosenFrontEnds)(
  "$name: the Automation API previews, runs, refreshes and destroys the program in its folder",
  async (frontEnd, context) => {
    const text = program(
      `export const shop = new Project("shop", { name: "shop", description: "of the program" }).id;`,
    );
    const { server, stack } = await start(context, text, {}, frontEnd);
    const envVars = Object.fromEntries(
      Object.entries(stack.processEnvironment()).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value]],
      ),
    );
    const saved = process.env["PATH"];
    process.env["PATH"] = stack.path;
    try {
      const automated = await LocalWorkspace.selectStack(
        { stackName: "dev", workDir: stack.folder },
        { envVars },
      );
      expect((await automated.preview()).changeSummary).toEqual({ create: 2 });
      expect((await server.everything()).size).toBe(0);
      const { summary, outputs } = await automated.up();
      expect(summary.result).toBe("succeeded");
      const id = await server.idOf("shop");
      expect(outputs["shop"]?.value).toBe(id);
      await server.api("PUT", `/project/${id}`, { name: "shop", description: "manually" });
      expect((await automated.refresh()).summary.resourceChanges).toMatchObject({ update: 1 });
      expect((await automated.destroy()).summary.result).toBe("succeeded");
      expect((await server.everything()).size).toBe(0);
    } finally {
      process.env["PATH"] = saved;
    }
  },
);

test.for(chosenFrontEnds)(
  "$name: after an adoption by an up of the new name alone, the deletion of the old name leaves the resource",
  async (frontEnd, context) => {
    const text = (name: string) =>
      program(`
        const shop = new Project("shop", { name: "shop" });
        new Environment("${name}", { project: shop.id, name: "staging", adopt: true });
      `);
    const { server, stack } = await start(context, text("old"), {}, frontEnd);
    expect(await stack.up()).toMatchObject({ exitCode: 0, errors: [] });
    const before = await server.everything();
    await stack.rewrite(text("new"));
    const { resources } = await stack.export();
    const urn = resources.find((each) => each.urn.endsWith("::old"))?.urn.replace(/::old$/, "::new") ?? "";
    expect(await stack.up("--target", urn)).toMatchObject({ exitCode: 0, errors: [] });
    expect(await stack.up()).toMatchObject({ exitCode: 0, errors: [], steps: ["delete Environment old"] });
    expect(await server.everything()).toEqual(before);
    expect(await stack.up("--refresh")).toMatchObject({ exitCode: 0, errors: [], steps: [] });
  },
);

test.for(chosenFrontEnds)(
  "$name: after an adoption under a new name that did not finish, the deletion of the old name leaves the resource",
  async (frontEnd, context) => {
    const text = (name: string, rest = "") =>
      program(`${stagingWithJobs} const job1 = job("${name}", { name: "renamed", adopt: true }); ${rest}`);
    const { server, stack } = await start(context, text("old"), {}, frontEnd);
    expect(await stack.up()).toMatchObject({ exitCode: 0, errors: [] });
    const before = await server.everything();
    await stack.rewrite(text("new", 'job("bad", { deploymentStage: "none" }, { dependsOn: [job1] });'));
    expect((await stack.up()).exitCode).not.toBe(0);
    await stack.rewrite(text("new"));
    expect(await stack.up()).toMatchObject({ exitCode: 0, errors: [], steps: ["delete Job old"] });
    expect(await server.everything()).toEqual(before);
    expect(await stack.up("--refresh")).toMatchObject({ exitCode: 0, errors: [], steps: [] });
  },
);

test.for(frontEnds)(
  "$name: an ignored field keeps the value that others have written when another field changes",
  async (frontEnd, context) => {
    const text = (cpu: number, tag: string) =>
      program(`${stagingWithJobs}
      const source = { image: { registry: "docker-hub", imageName: "acme/report", tag: "${tag}" } };
      job("nightly", { cpu: ${cpu}, source }, { ignoreChanges: ["source.image.tag"] });
    `);
    const { server, stack } = await start(context, text(500, "1"), {}, frontEnd);
    expect(await stack.up()).toMatchObject({ exitCode: 0, errors: [] });
    const byCi = { source: { image: { tag: "9" } } };
    await server.reconcile([{ kind: "Job", environment: "shop/staging", name: "nightly", ...byCi }]);
    await stack.rewrite(text(600, "2"));
    expect(await stack.up()).toMatchObject({ exitCode: 0, steps: ["update Job nightly"] });
    const live = (await server.everything()).get("shop/staging/JOB nightly");
    expect(live).toMatchObject({ cpu: 600, ...byCi });
    expect(await stack.up()).toMatchObject({ exitCode: 0, errors: [], steps: [] });
  },
);

test.for(frontEnds)(
  "$name: an update that takes a volume is refused in preview and up, unless a setting names its service",
  async (frontEnd, context) => {
    const api = (storage: string) =>
      program(`
      const shop = new Project("shop", { name: "shop" });
      const staging = new Environment("staging", { project: shop.id, name: "staging" });
      new Application("api", {
        environment: staging.id, name: "api", gitRepository: { url: "https://github.com/acme/api" },
        storage: [${storage}],
      });
    `);
    const volume = '{ mountPoint: "/data", size: 5, type: "FAST_SSD" }';
    const { server, stack } = await start(context, api(volume), {}, frontEnd);
    expect(await stack.up()).toMatchObject({ exitCode: 0, errors: [] });
    const before = await server.everything();
    await stack.rewrite(api(""));
    for (const run of [() => stack.preview(), () => stack.up("--skip-preview")]) {
      const { exitCode, errors } = await run();
      expect(exitCode).not.toBe(0);
      expect(errors.join("\n")).toContain(
        "application:shop/staging/api would lose the volume /data (5 GiB), which cannot be restored; undo the change, or allow it: add application:shop/staging/api to infrasync:allowLosses",
      );
    }
    expect(await server.everything()).toEqual(before);
    stack.environment["INFRASYNC_ALLOW_LOSSES"] = "application:shop/staging/api";
    expect(await stack.up()).toMatchObject({ exitCode: 0, errors: [], steps: ["update Application api"] });
  },
);
