import { expect, test } from "vitest";
import { UnfinishedError } from "../../../provider/lifecycle/errors.ts";
import type { Properties } from "../../../provider/lifecycle/inputs.ts";
import { Lifecycle } from "../../../provider/lifecycle/lifecycle.ts";
import { useHarness } from "../../fixtures/use-harness.ts";

const harness = useHarness();

const ci: Properties = { name: "ci", role: "Deploy" };

const start = (token = harness.emulator.tokens.admin) => {
  const warnings: string[] = [];
  const lifecycle = new Lifecycle({}, (message) => warnings.push(message));
  const values: Record<string, string> = {
    "infrasync:baseUrl": harness.emulator.url,
    "infrasync:token": token,
  };
  return { lifecycle, config: { get: (key: string) => values[key] }, warnings };
};

test("the value of a new token is a secret output, and stays one after a refresh", async () => {
  const { lifecycle, config } = start();
  const { id, outs } = await lifecycle.create("ApiToken", ci, config);
  expect(String(outs["token"]).length).toBeGreaterThan(20);
  expect(outs["__secret"]).toEqual(["/token"]);
  const { props } = await lifecycle.read("ApiToken", id, outs, config);
  expect(props).toMatchObject({ token: outs["token"], __secret: ["/token"] });
  expect(await lifecycle.diff("ApiToken", id, props, ci, config)).toMatchObject({ changes: false });
});

test.each<Properties>([{ role: "Read" }, { description: "other" }, { name: "other" }])(
  "%j is another token: it is replaced",
  async (change) => {
    const { lifecycle, config } = start();
    const { id, outs } = await lifecycle.create("ApiToken", ci, config);
    const { replaces } = await lifecycle.diff("ApiToken", id, outs, { ...ci, ...change }, config);
    expect(replaces).toEqual(Object.keys(change));
  },
);

test("the token that the provider uses is not deleted, others are", async () => {
  const { lifecycle, config } = start();
  const { id, outs } = await lifecycle.create("ApiToken", { ...ci, role: "Admin" }, config);
  const own = start(String(outs["token"]));
  await expect(own.lifecycle.remove("ApiToken", id, outs, own.config)).rejects.toThrow(
    "apitoken:ci cannot be deleted: this run uses it",
  );
  const { token: _token, ...adopted } = outs;
  await expect(lifecycle.remove("ApiToken", id, adopted, config)).rejects.toThrow(
    "this run may use this token",
  );
  await lifecycle.remove("ApiToken", id, outs, config);
  const list = await harness.results(`/organization/${harness.organization.id}/apiToken`);
  expect(list.map(({ name }) => name)).not.toContain("ci");
});

test("after a lost answer the next run makes another one, and no message shows anything of the value", async () => {
  const { lifecycle, config } = start();
  await harness.api("POST", "/_emulator/faults", [
    {
      method: "POST",
      path: "/organization/*/apiToken",
      status: 502,
      carry_out: true,
      body: { message: "c4n4ry" },
    },
  ]);
  const error: unknown = await lifecycle.create("ApiToken", ci, config).catch((reason: unknown) => reason);
  if (!(error instanceof UnfinishedError)) throw error;
  expect(error.message).toMatch(
    /its token is lost, .* run `pulumi up` again, which deletes the resource and creates a new one/,
  );
  expect(error.message).not.toContain("c4n4ry");
  await harness.api("DELETE", "/_emulator/faults");
  const next = start();
  const { id, properties } = error;
  expect(await next.lifecycle.diff("ApiToken", id, properties, ci, next.config)).toMatchObject({
    replaces: ["name"],
  });
  await next.lifecycle.remove("ApiToken", id, properties, next.config);
  const { outs } = await next.lifecycle.create("ApiToken", ci, next.config);
  expect(outs["token"]).toEqual(expect.any(String));
});
