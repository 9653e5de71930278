import { expect, test } from "vitest";
import { frontEnds } from "./front-ends.ts";
import { program, start } from "./shop.ts";

const jobs = program(`
  const shop = new Project("shop", { name: "shop" });
  const staging = new Environment("staging", { project: shop.id, name: "staging" });
  for (let number = 0; number < 20; number += 1)
    new Job(\`job-\${number}\`, {
      environment: staging.id, name: \`job-\${number}\`,
      source: { image: { registry: "docker-hub", imageName: "acme/report", tag: "1" } },
      schedule: { onStart: {} },
      variables: { NAME: \`value \${number}\`, LEVEL: "info" },
    });
`);

test.for(frontEnds)(
  "$name: a second refresh reads the variables only that somebody has changed",
  async (frontEnd, context) => {
    const { server, stack } = await start(context, jobs, {}, frontEnd);
    expect(await stack.up()).toMatchObject({ exitCode: 0, errors: [] });
    const refresh = async () => {
      await server.advance(60_000);
      await server.forgetRequests();
      const run = await stack.refresh();
      expect(run).toMatchObject({ exitCode: 0, errors: [] });
      const lists = (await server.seen()).filter(
        ({ method, path }) => method === "GET" && path === "/variable",
      );
      return { lists: lists.length, steps: run.steps };
    };
    expect((await refresh()).lists).toBe(20);
    expect(await refresh()).toEqual({ lists: 0, steps: [] });

    const id = await server.idOf("shop/staging/JOB job-7");
    const [variable] = await server.results(`/variable?parent_id=${id}&scope=JOB`);
    await server.api("PUT", `/variable/${String(variable?.["id"])}`, {
      key: variable?.["key"],
      value: "manually",
    });
    expect(await refresh()).toEqual({ lists: 1, steps: ["update Job job-7"] });
  },
);
