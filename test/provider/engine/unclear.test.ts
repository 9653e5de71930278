import { expect, test } from "vitest";
import type { Harness } from "../../fixtures/harness.ts";
import { frontEndsOf } from "./front-ends.ts";
import type { Stack } from "./stack.ts";
import { nothing, program, start } from "./shop.ts";

const text = (job: string) =>
  program(`
    const shop = new Project("shop", { name: "shop" });
    const staging = new Environment("staging", { project: shop.id, name: "staging" });
    new Job("job", {
      environment: staging.id, name: "job",
      source: { image: { registry: "docker-hub", imageName: "acme/report", tag: "1" } },
      ${job}
    });
  `);
const lifecycle = text("schedule: { onStart: {} },");
const cron = text('schedule: { cronjob: { scheduledAt: "0 3 * * *" } },');

/** The server carries out the request, and the response is lost. */
const lost = { method: "POST", path: "/environment/*/job", drop: "after", times: 1 };

test.for(frontEndsOf(import.meta.filename))(
  "$name: an unclear creation in a replacement has the same result as a clear one",
  async (frontEnd, context) => {
    const { server, stack } = await start(context, lifecycle, {}, frontEnd);
    await stack.up();
    const before = await jobOf(server);

    await stack.rewrite(cron);
    await server.api("POST", "/_emulator/faults", [lost]);
    expect(await stack.up()).toMatchObject({
      exitCode: 0,
      steps: ["delete-replaced Job job", "create-replacement Job job"],
    });
    await expectOne(server, stack, before);

    // Now the read fails as well: an earlier list has shown that the old job is gone.
    const middle = await jobOf(server);
    await stack.rewrite(lifecycle);
    const refused = { method: "GET", path: "/environment/*/services", status: 403, after: 1 };
    await server.api("POST", "/_emulator/faults", [lost, refused]);
    const unclear = await stack.up();
    expect(unclear.exitCode).not.toBe(0);
    expect(unclear.errors.join("\n")).toMatch(
      /it is unknown whether it has been created: .*; run `pulumi up` again/,
    );
    await server.api("DELETE", "/_emulator/faults");
    expect(await stack.up()).toMatchObject({ exitCode: 0, errors: [] });
    await expectOne(server, stack, middle);
    expect(await stack.up("--refresh")).toMatchObject(nothing);
  },
);

async function jobOf(server: Harness): Promise<string> {
  return String((await server.everything()).get("shop/staging/JOB job")?.["id"]);
}

/** Exactly one job, with a new id, is live and in the state. */
async function expectOne(server: Harness, stack: Stack, before: string): Promise<void> {
  const live = await server.everything();
  const job = await jobOf(server);
  expect(job).not.toBe(before);
  const environment = String(live.get("shop/staging")?.["id"]);
  expect(await server.results(`/environment/${environment}/services`)).toMatchObject([{ id: job }]);
  const { resources } = await stack.export();
  expect(resources.map(({ id }) => id)).toEqual([...live.values()].map(({ id }) => id));
}

test.for(frontEndsOf(import.meta.filename))(
  "$name: a creation with an unknown outcome stays in the state, and is never repeated blindly",
  async (frontEnd, context) => {
    const project = program('new Project("shop", { name: "shop" });');
    const { server, stack } = await start(context, project, {}, frontEnd);
    const faults = [
      { ...lost, path: "/organization/*/project" },
      { method: "GET", path: "/organization/*/project", status: 403, after: 1 },
    ];
    await server.api("POST", "/_emulator/faults", faults);
    await stack.up();
    await server.api("DELETE", "/_emulator/faults");
    const early = await stack.destroy();
    expect(early.errors.join("\n")).toContain("run `pulumi refresh` to add it to the state");
    expect(await stack.refresh()).toMatchObject({ exitCode: 0, errors: [] });
    expect(await stack.up()).toMatchObject({ exitCode: 0, errors: [], steps: ["update Project shop"] });
    const [[name, live] = []] = [...(await server.everything())];
    expect(name).toBe("shop");
    expect((await stack.export()).resources).toMatchObject([{ id: live?.["id"] }]);
    expect(await stack.destroy()).toMatchObject({ exitCode: 0, errors: [] });
    expect((await server.everything()).size).toBe(0);
  },
);
