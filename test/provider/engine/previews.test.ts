import { expect, test } from "vitest";
import { frontEnds, frontEndsOf } from "./front-ends.ts";
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

test.for(frontEndsOf(import.meta.filename))(
  "$name: a preview reports mistakes in inputs before any request, and an output is unknown until its resource exists",
  async (frontEnd, context) => {
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
    const mistaken = text("1", use).replace("onStart: {}", 'onStrat: {}, cronjob: "0 3 * * *"');
    const { stack, server } = await start(context, mistaken, {}, frontEnd);
    const { exitCode: refusal, errors: mistakes } = await stack.preview();
    expect(refusal).not.toBe(0);
    expect(mistakes.join("\n")).toMatch(/Job resource 'first'.* has (?:a problem|2 problems|problems)/);
    expect(mistakes.join("\n")).toContain('schedule has no member "onStrat"; did you mean onStart');
    expect(mistakes.join("\n")).toContain("schedule.cronjob must be");
    expect(await server.seen()).toEqual([]);

    await stack.rewrite(text("1", use));
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
  },
);

test.for(frontEndsOf(import.meta.filename))(
  "$name: a replacement that the engine requests deletes first",
  async (frontEnd, context) => {
    const { stack, server } = await start(context, text("1", ""), {}, frontEnd);
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

test.for(frontEndsOf(import.meta.filename))(
  "$name: a preview tells that a retained resource cannot be replaced under its name, and a stack that has tried gets out when the change is undone",
  async (frontEnd, context) => {
    const retained = text("1", "", "{ retainOnDelete: true }");
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
    await stack.rewrite(cronjob(text("1", "")));
    const stuck = await stack.up();
    expect(stuck.exitCode).not.toBe(0);
    expect(stuck.errors.join("\n")).toContain("undo the change and run `pulumi up`");
    expect((await stack.export()).text).toContain('"pendingReplacement": true');
    expect((await stack.up()).exitCode).not.toBe(0);
    expect(await server.everything()).toEqual(before);

    await stack.rewrite(text("2", ""));
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
    await stack.rewrite(cronjob(text("2", "")));
    expect(await stack.up()).toMatchObject({ exitCode: 0, errors: [] });
    expect((await server.everything()).get("shop/staging/JOB first")).toMatchObject({ job_type: "CRON" });
  },
);

test.for(frontEnds)(
  "$name: a preview without the URL of the API, or without a token, fails as an up would",
  async (frontEnd, context) => {
    const { stack } = await start(context, program('new Project("shop", { name: "shop" });'), {}, frontEnd);
    const { INFRASYNC_TOKEN: token = "" } = stack.environment;
    delete stack.environment["INFRASYNC_TOKEN"];
    const tokenless = await stack.preview();
    expect(tokenless.exitCode).not.toBe(0);
    expect(tokenless.errors.join("\n")).toContain("there is no token; run `pulumi config set");
    stack.environment["INFRASYNC_TOKEN"] = token;
    delete stack.environment["INFRASYNC_BASE_URL"];
    const nowhere = await stack.preview();
    expect(nowhere.exitCode).not.toBe(0);
    expect(nowhere.errors.join("\n")).toContain("the URL of the API is not set");
  },
);
