import { expect, test } from "vitest";
import { chosenFrontEnds } from "./front-ends.ts";
import { firstJob, nothing, program, start } from "./shop.ts";

test.for(chosenFrontEnds)(
  "$name: a replacement that the engine requests deletes first",
  async (frontEnd, context) => {
    const { stack, server } = await start(context, firstJob("1", ""), {}, frontEnd);
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
    const third = await idNow();
    expect(third).not.toBe(after);
    expect(await stack.shell(`pulumi state taint --yes '${urn}'`, "")).toMatchObject({ exitCode: 0 });
    expect(await stack.up()).toMatchObject({ exitCode: 0, errors: [] });
    expect(await idNow()).not.toBe(third);
    expect(await stack.preview()).toMatchObject(nothing);
  },
);

const cronjob = (given: string) => given.replace("onStart: {}", 'cronjob: { scheduledAt: "0 3 * * *" }');

test.for(chosenFrontEnds)(
  "$name: a preview tells that a retained resource cannot be replaced under its name, and a stack that has tried gets out when the change is undone",
  async (frontEnd, context) => {
    const retained = firstJob("1", "", "{ retainOnDelete: true }");
    const { stack, server } = await start(context, retained, {}, frontEnd);
    expect(await stack.up()).toMatchObject({ exitCode: 0, errors: [] });
    const before = await server.everything();
    await stack.rewrite(cronjob(retained));
    const preview = await stack.preview();
    // The engine does not tell a plugin the options of a resource.
    expect(frontEnd.name === "plugin" ? preview.stdout : preview.errors.join("\n")).toContain(
      frontEnd.name === "plugin"
        ? "so this fails if `retainOnDelete: true` keeps it"
        : 'the Job "first" must be replaced, but its option `retainOnDelete: true` keeps the old one and its name; remove the option and run `pulumi up` before you make the change, or give the new one another name',
    );
    // The option of the state counts for the deletion, not that of the program.
    await stack.rewrite(cronjob(firstJob("1", "")));
    const stuck = await stack.up();
    expect(stuck.exitCode).not.toBe(0);
    expect(stuck.errors.join("\n")).toContain("undo the change, run `pulumi up`");
    expect((await stack.export()).text).toContain('"pendingReplacement": true');
    expect((await stack.up()).exitCode).not.toBe(0);
    expect(await server.everything()).toEqual(before);

    await stack.rewrite(firstJob("2", ""));
    expect(await stack.refresh()).toMatchObject({ exitCode: 0, errors: [] });
    expect(await stack.up()).toMatchObject({ exitCode: 0, errors: [] });
    const { text: state, resources } = await stack.export();
    expect(state).not.toContain("pendingReplacement");
    const live = await server.everything();
    expect(resources.map(({ id }) => id)).toEqual([...live.values()].map(({ id }) => id));
    const job = live.get("shop/staging/JOB first");
    expect(job?.["id"]).toBe(before.get("shop/staging/JOB first")?.["id"]);
    expect(job).toMatchObject({ source: { image: { tag: "2" } } });
    expect(await stack.up("--refresh")).toMatchObject(nothing);
    await stack.rewrite(cronjob(firstJob("2", "")));
    expect(await stack.up()).toMatchObject({ exitCode: 0, errors: [] });
    expect((await server.everything()).get("shop/staging/JOB first")).toMatchObject({ job_type: "CRON" });
  },
);

test.for(chosenFrontEnds)(
  "$name: a replacement with --replace deletes an adopted resource and creates it again",
  async (frontEnd, context) => {
    const adopting = program(`
    const shop = new Project("shop", { name: "shop" });
    new Environment("staging", { project: shop.id, name: "staging", adopt: true });
  `);
    const { server, stack } = await start(context, adopting, {}, frontEnd);
    await stack.up();
    const before = (await server.everything()).get("shop/staging");
    const urn = (await stack.export()).resources.find(({ type }) => type.endsWith("Environment"))?.urn ?? "";
    expect(await stack.up("--replace", urn)).toMatchObject({ exitCode: 0, errors: [] });
    const again = (await server.everything()).get("shop/staging");
    expect(again?.["id"]).toEqual(expect.any(String));
    expect(again?.["id"]).not.toBe(before?.["id"]);

    // Another name in the program, without an alias: the new name adopts the resource, and the old name does not delete
    // it.
    await stack.rewrite(adopting.replace('"staging", {', '"other", {'));
    expect(await stack.up()).toMatchObject({
      exitCode: 0,
      steps: ["create Environment other", "delete Environment staging"],
    });
    expect((await server.everything()).get("shop/staging")?.["id"]).toBe(again?.["id"]);
  },
);
