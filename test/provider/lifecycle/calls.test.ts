import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import * as lifecycle from "../../../provider/lifecycle/calls.ts";
import { Lifecycle } from "../../../provider/lifecycle/lifecycle.ts";
import { Harness } from "../../fixtures/harness.ts";

beforeEach(() => {
  for (const setting of ["TOKEN", "TOKEN_FILE", "BASE_URL", "ORGANIZATION"]) {
    vi.stubEnv(`INFRASYNC_${setting}`, undefined);
  }
  onTestFinished(() => void vi.unstubAllEnvs());
});

async function start() {
  const server = await Harness.start();
  onTestFinished(() => server[Symbol.asyncDispose]());
  const { url, tokens } = server.emulator;
  const values: Record<string, string> = { "infrasync:baseUrl": url, "infrasync:token": tokens.admin };
  const configOf = (changes: Record<string, string>) => ({
    get: (key: string): string | undefined => ({ ...values, ...changes })[key],
  });
  await server.forgetRequests();
  return { server, config: configOf({}), configOf };
}

test("all calls of a process share one session, in whatever object the configuration comes", async () => {
  const { server, config, configOf } = await start();
  await lifecycle.create("Project", { name: "a" }, config);
  const { id, outs } = await lifecycle.create("Project", { name: "b" }, configOf({}));
  expect((await server.seen()).map(({ method }) => method)).toEqual(["GET", "GET", "GET", "POST", "POST"]);
  expect(await lifecycle.read("Project", id, outs, config)).toEqual({
    id,
    props: outs,
    inputs: { name: "b" },
  });
  await lifecycle.update("Project", id, outs, { name: "b", description: "changed" }, config);
  await lifecycle.delete("Project", id, outs, config);
  expect([...(await server.everything()).keys()]).toEqual(["a"]);
});

test("a rejected token is reported with its origin, the stack configuration", async () => {
  const { configOf } = await start();
  const old = configOf({ "infrasync:token": "an-old-token" });
  await expect(lifecycle.create("Project", { name: "a" }, old)).rejects.toThrow(
    "The token comes from infrasync:token in the configuration of the stack. `pulumi refresh` and `pulumi destroy` use the token of the last `pulumi up`, unless INFRASYNC_TOKEN is set.",
  );
});

test("a creation does not adopt a resource that the diff has marked for replacement", async () => {
  const { config } = await start();
  const project = await lifecycle.create("Project", { name: "shop" }, config);
  const inputs = { project: project.id, name: "staging", cluster: "eu-west" };
  const { id, outs } = await lifecycle.create("Environment", inputs, config);
  const news = { ...inputs, cluster: "us-east", adopt: true };
  expect(await lifecycle.diff("Environment", id, outs, news, config)).toEqual({
    changes: true,
    replaces: ["cluster"],
    deleteBeforeReplace: true,
  });
  const other = { ...news, name: "other", adoptId: id, adopt: false };
  await expect(lifecycle.create("Environment", other, config)).rejects.toThrow(
    `cannot be created before the Environment that it replaces (${id})`,
  );
});

test("mistakes of inputs are reported with those of the settings", async () => {
  expect(await lifecycle.check("Project", {}, { name: "" }, undefined)).toEqual({
    inputs: { name: "" },
    failures: [
      { property: "", reason: expect.stringContaining("name:") },
      { property: "", reason: expect.stringContaining("there is no token") },
    ],
  });
});

test("two lifecycles of one process are independent", async () => {
  const { server, config } = await start();
  const [one, other] = [new Lifecycle({}), new Lifecycle({})];
  const { id, outs } = await one.create("Project", { name: "shop" }, config);
  const news = { name: "shop", adopt: true };
  expect(await one.diff("Project", id, outs, news, config)).toMatchObject({ changes: false });
  // Another program of the same process may adopt a resource that this program owns.
  await server.forgetRequests();
  expect(await other.create("Project", news, config)).toMatchObject({ id });
  await expect(one.create("Project", news, config)).rejects.toThrow("another resource of this program");
  // A new session reads the organization again.
  expect((await server.seen()).filter(({ path }) => path === "/organization")).toHaveLength(1);
});

test("a lifecycle reads the environment variables that it was given", async () => {
  const { config } = await start();
  const other = new Lifecycle({ INFRASYNC_TOKEN: "an-unknown-token" });
  await expect(other.create("Project", { name: "a" }, config)).rejects.toThrow(
    "The token comes from INFRASYNC_TOKEN.",
  );
});

test.each([
  [{}, "the URL of the API is not set"],
  [{ INFRASYNC_BASE_URL: "http://127.0.0.1:1" }, "there is no token"],
])(
  "with the settings %j, a preview of a creation and of an update fails as up would",
  async (given, reason) => {
    const { config } = await start();
    const { id, outs } = await new Lifecycle({}).create("Project", { name: "shop" }, config);
    const without = new Lifecycle(given);
    const { failures } = await without.check("Project", {}, { name: "depot" }, undefined);
    expect(failures).toEqual([{ property: "", reason: expect.stringContaining(reason) }]);
    const declared = { name: "shop", description: "new" };
    await expect(without.diff("Project", id, outs, declared, undefined)).rejects.toThrow(reason);
    // Without a change, nothing is sent.
    expect((await without.check("Project", { name: "shop" }, { name: "shop" }, undefined)).failures).toEqual(
      [],
    );
    expect(await without.diff("Project", id, outs, { name: "shop" }, undefined)).toMatchObject({
      changes: false,
    });
  },
);
