import { expect, test } from "vitest";
import { frontEnds } from "./front-ends.ts";
import { program, start } from "./shop.ts";

test.for(frontEnds)(
  "$name: a variable of the server becomes a secret of the same key in the two steps of the advice",
  async (frontEnd, context) => {
    const withJob = (more: string) =>
      program(`
  const shop = new Project("shop", { name: "shop" });
  const staging = new Environment("staging", { project: shop.id, name: "staging" });
  new Job("nightly", {
    environment: staging.id, name: "nightly",
    source: { image: { registry: "docker-hub", imageName: "acme/report", tag: "1" } },
    schedule: { cronjob: { scheduledAt: "0 3 * * *" } }, ${more}
  });
`);
    const { server, stack } = await start(context, withJob(""), {}, frontEnd);
    expect(await stack.up()).toMatchObject({ exitCode: 0 });
    const [, id = ""] = /"id": "([^"]+)",\s+"type": "[^"]*Job"/.exec((await stack.export()).text) ?? [];
    const variable = { key: "KEY", value: "x", is_secret: false };
    await server.api("POST", "/variable", { ...variable, variable_scope: "JOB", variable_parent_id: id });
    await stack.rewrite(withJob('secrets: { KEY: "x" },'));
    const refused = await stack.up();
    expect(refused.exitCode).not.toBe(0);
    expect(refused.stdout + refused.stderr).toContain(
      "KEY is a variable now, and the secret would overwrite it",
    );
    await stack.rewrite(withJob('variables: { KEY: "x" },'));
    expect(await stack.up()).toMatchObject({ exitCode: 0 });
    await stack.rewrite(withJob('secrets: { KEY: "x" },'));
    expect(await stack.up()).toMatchObject({ exitCode: 0 });
    const { results } = (await server.api("GET", `/variable?parent_id=${id}&scope=JOB`)) as {
      results: { key: string; is_secret: boolean }[];
    };
    expect(results.filter(({ key }) => key === "KEY")).toEqual([
      expect.objectContaining({ is_secret: true }),
    ]);
  },
);
