import { expect, test } from "vitest";
import type { Fields } from "../../../core/values/json.ts";
import { chosenFrontEnds, frontEnds } from "./front-ends.ts";
import { nothing, program, start } from "./shop.ts";

const cases = ["plain", "adopt", "adoptId"].flatMap((how) =>
  [undefined, true, false].map((deleteBeforeReplace) => ({
    name: `${how}-${deleteBeforeReplace ?? "default"}`,
    how,
    deleteBeforeReplace,
  })),
);

const job = (name: string): Fields => ({
  kind: "Job",
  environment: "shop/staging",
  name,
  source: { image: { registry: "docker-hub", image_name: "acme/report", tag: "1" } },
  schedule: { on_start: {} },
});
const documents: Fields[] = [
  { kind: "Project", name: "shop" },
  { kind: "Environment", project: "shop", name: "staging" },
  ...cases.filter(({ how }) => how !== "plain").map(({ name }) => job(name)),
];

/** A job for each case; a lifecycle job cannot become a cron job. */
const jobs = (schedule: string, live: Map<string, Fields>) =>
  program(`
    const shop = new Project("shop", { name: "shop", adopt: true });
    const staging = new Environment("staging", { project: shop.id, name: "staging", adopt: true });
    const args = {
      environment: staging.id,
      source: { image: { registry: "docker-hub", imageName: "acme/report", tag: "1" } },
      schedule: ${schedule},
    };
    const ids = ${JSON.stringify(Object.fromEntries([...live].map(([path, { id }]) => [path, id])))};
    for (const { name, how, deleteBeforeReplace } of ${JSON.stringify(cases)}) {
      const adoption = { plain: {}, adopt: { adopt: true }, adoptId: { adoptId: ids["shop/staging/JOB " + name] } };
      new Job(name, { ...args, name, ...adoption[how] }, { deleteBeforeReplace });
    }
  `);

test.for(chosenFrontEnds)(
  "$name: a replacement loses and duplicates nothing, with any kind of adoption, and in the user's order",
  async (frontEnd, context) => {
    const { server, stack } = await start(context, "", {}, frontEnd);
    await server.reconcile(documents);
    const adopted = await server.everything();
    await stack.rewrite(jobs("{ onStart: {} }", adopted));
    expect(await stack.up()).toMatchObject({ exitCode: 0, errors: [] });
    const before = await server.everything();
    expect(before.size).toBe(2 + cases.length);
    for (const [path, { id }] of adopted) expect(before.get(path)?.["id"]).toBe(id);

    await stack.rewrite(jobs('{ cronjob: { scheduledAt: "0 3 * * *" } }', adopted));
    const { errors, exitCode } = await stack.up("--continue-on-error");
    // The setting in the project file of the plugin counts more than the option.
    const ordersAlways = frontEnd.name === "plugin";
    expect(exitCode === 0).toBe(ordersAlways);
    const after = await server.everything();
    expect(after.size).toBe(before.size);
    for (const { name, deleteBeforeReplace } of cases) {
      const old = before.get(`shop/staging/JOB ${name}`);
      const live = after.get(`shop/staging/JOB ${name}`);
      if (deleteBeforeReplace === false && !ordersAlways) {
        expect(live).toEqual(old);
        expect(errors.join("\n")).toContain(
          `"${name}" cannot be created before the Job that it replaces (${String(old?.["id"])}) is deleted, because names are unique; give it another name; or undo the change, run \`pulumi up\`, remove \`deleteBeforeReplace: false\` or \`retainOnDelete: true\`, run \`pulumi up\` again, and then make the change`,
        );
      } else {
        expect(live).toMatchObject({ job_type: "CRON" });
        expect(live?.["id"]).not.toBe(old?.["id"]);
      }
    }

    // A job whose replacement fails stays unchanged.
    const ids = (await stack.export()).resources.flatMap(({ id }) => id ?? []);
    expect(new Set(ids)).toEqual(new Set([...after.values()].map(({ id }) => id)));
  },
);

test.for(frontEnds)(
  "$name: an environment is replaced together with a job that has aliases and overrides of its variables",
  async (frontEnd, context) => {
    const text = (cluster: string) =>
      program(`
        const shop = new Project("shop", { name: "shop", variables: { AREA: "eu" } });
        const staging = new Environment("staging", {
          project: shop.id, name: "staging", cluster: "${cluster}",
          variables: { REGION: "eu", AREA: { value: "west", overrides: true } }, secrets: { KEY: "s3cret" },
        });
        new Job("job", {
          environment: staging.id, name: "job", schedule: { onStart: {} },
          source: { image: { registry: "docker-hub", imageName: "acme/report", tag: "1" } },
          variables: { A: { aliasOf: "REGION" }, B: { aliasOf: "KEY" }, AREA: { value: "own", overrides: true } },
        });
      `);
    const { server, stack } = await start(context, text("eu-west"), {}, frontEnd);
    expect(await stack.up()).toMatchObject({ exitCode: 0, errors: [] });
    await stack.rewrite(text("us-east"));
    expect((await stack.preview()).errors).toEqual([]);
    expect(await stack.up()).toMatchObject({ exitCode: 0, errors: [] });
    expect([...(await server.everything()).keys()].toSorted()).toEqual([
      "shop",
      "shop/staging",
      "shop/staging/JOB job",
    ]);
    expect(await stack.up("--refresh")).toMatchObject(nothing);
  },
);

const leaving = (cluster: string, of: string) =>
  program(`
    const shop = new Project("shop", { name: "shop" });
    const prod = new Environment("prod", { project: shop.id, name: "prod", cluster: "eu-west" });
    const staging = new Environment("staging", { project: shop.id, name: "staging", cluster: "${cluster}" });
    const args = {
      source: { image: { registry: "docker-hub", imageName: "acme/report", tag: "1" } },
      schedule: { onStart: {} },
    };
    new Job("stays", { ...args, environment: staging.id, name: "stays" });
    new Job("leaves", { ...args, environment: ${of}.id, name: "leaves" });
  `);

test.for(frontEnds)(
  "$name: a job that leaves an environment which the same run replaces is not deleted, without a preview either",
  async (frontEnd, context) => {
    const { server, stack } = await start(context, leaving("eu-west", "staging"), {}, frontEnd);
    expect(await stack.up()).toMatchObject({ exitCode: 0, errors: [] });
    const before = await server.everything();
    await stack.rewrite(leaving("us-east", "prod"));
    const { exitCode, errors } = await stack.up("--skip-preview");
    expect(exitCode).not.toBe(0);
    expect(errors.join("\n")).toContain("Pulumi cannot do both in one run");
    expect(await server.everything()).toEqual(before);
    await stack.rewrite(leaving("eu-west", "prod"));
    expect(await stack.up()).toMatchObject({ exitCode: 0, errors: [] });
    await stack.rewrite(leaving("us-east", "prod"));
    expect(await stack.up()).toMatchObject({ exitCode: 0, errors: [] });
    expect(await stack.up("--refresh")).toMatchObject(nothing);
  },
);
