import { expect, onTestFinished, test } from "vitest";
import type { Properties } from "../../../provider/lifecycle/inputs.ts";
import { Lifecycle } from "../../../provider/lifecycle/lifecycle.ts";
import { Harness } from "../../fixtures/harness.ts";

/** Words that only the command line knows. */
const foreign = /--[a-z]|plan again|since the plan|run again|\binfrasync (?:apply|plan|destroy)\b/i;

async function start() {
  const server = await Harness.start({ clock: "frozen" });
  onTestFinished(() => server[Symbol.asyncDispose]());
  const values: Record<string, string> = {
    "infrasync:baseUrl": server.emulator.url,
    "infrasync:token": server.emulator.tokens.admin,
    "infrasync:cloneTimeout": "1s",
    "infrasync:onQuota": "fail",
  };
  const configOf = (changes: Record<string, string> = {}) => ({
    get: (key: string): string | undefined => ({ ...values, ...changes })[key],
  });
  const config = configOf();
  const lifecycle = new Lifecycle({});
  const project = await lifecycle.create("Project", { name: "shop" }, config);
  const inputs = { project: project.id, name: "staging", cluster: "eu-west" };
  const environment = await lifecycle.create("Environment", inputs, config);
  return { server, config, configOf, environment: environment.id };
}

const image = { image: { registry: "docker-hub", imageName: "acme/report", tag: "1" } };
const jobIn = (environment: string, name: string): Properties => ({
  environment,
  name,
  source: image,
  schedule: { cronjob: { scheduledAt: "0 3 * * *" } },
});

test("no error message names a flag or a command of the command line", async () => {
  const { server, config, configOf, environment } = await start();
  const messages: string[] = [];
  const keep = async (work: Promise<unknown>): Promise<void> => {
    await work.catch((error: Error) => messages.push(error.message));
  };
  const there = await new Lifecycle({}).create("Job", jobIn(environment, "there"), config);
  const faults = [400, 401, 403, 404, 409, 429, 500].flatMap((status) =>
    ["GET", "POST", "PUT", "DELETE"].map((method) => ({ method, status, path: "/**" })),
  );
  for (const [index, fault] of faults.entries()) {
    await server.api("POST", "/_emulator/faults", [{ ...fault, times: 20 }]);
    const run = new Lifecycle({}, () => {}, server.clock);
    await Promise.all([
      keep(run.create("Job", jobIn(environment, `job-${index}`), config)),
      keep(
        run.update("Job", there.id, there.outs, { ...jobIn(environment, "there"), cpu: index + 600 }, config),
      ),
      keep(run.read("Job", there.id, there.outs, config)),
    ]);
    const isDeletion = fault.method === "DELETE" && fault.status < 404;
    if (isDeletion) await keep(run.remove("Job", there.id, there.outs, config));
    await server.api("DELETE", "/_emulator/faults");
  }
  const other = new Lifecycle({});
  await keep(other.create("Project", { name: "x" }, configOf({ "infrasync:organization": "acne" })));
  await keep(
    other.create("Project", { name: "x" }, configOf({ "infrasync:baseUrl": "http://api.example.com" })),
  );
  await keep(other.create("Project", { name: "x" }, configOf({ "infrasync:baseUrl": "ftp://x" })));
  await keep(
    other.update("Job", there.id.replace(/^./, "0"), there.outs, jobIn(environment, "there"), config),
  );
  await keep(other.create("Job", { ...jobIn(environment, "there") }, config));
  await keep(other.create("Job", { ...jobIn(environment, "y"), cloneFrom: environment }, config));
  await keep(other.create("Job", { ...jobIn(environment, "z"), adoptId: environment }, config));

  expect(messages.length).toBeGreaterThan(30);
  expect(new Set(messages).size).toBeGreaterThan(20);
  expect(messages.filter((message) => foreign.test(message))).toEqual([]);
  const all = messages.join("\n");
  expect(all).toContain("set infrasync:organization (or INFRASYNC_ORGANIZATION) to one of: acme (");
  expect(all).toContain("allow it: set infrasync:insecureHttp (or INFRASYNC_INSECURE_HTTP) to true");
  expect(all).toContain("has disappeared meanwhile; run `pulumi refresh`, then `pulumi up`");
  expect(all).toContain("run `pulumi up` again later, or let the provider wait: set infrasync:onQuota");
});
