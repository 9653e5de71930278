import { expect, test } from "vitest";
import { frontEndsOf } from "./front-ends.ts";
import { nothing, program, start } from "./shop.ts";

const text = program(`
  const shop = new Project("shop", { name: "shop" });
  for (const environment of ["a", "b", "c", "d", "e"]) {
    const { id } = new Environment(environment, { project: shop.id, name: environment });
    for (let number = 1; number <= 20; number += 1) {
      new Job(\`\${environment}-\${number}\`, {
        environment: id, name: \`job-\${number}\`,
        source: { image: { registry: "docker-hub", imageName: "acme/report", tag: "1" } },
        schedule: { cronjob: { scheduledAt: "0 3 * * *" } },
      });
    }
  }
`);

test.for(frontEndsOf(import.meta.filename))(
  "$name: 100 jobs in 5 environments cost one request each to create, none to preview, at most ten to refresh",
  async (frontEnd, context) => {
    const { server, stack } = await start(context, text, {}, frontEnd);
    expect(await stack.up()).toMatchObject({ exitCode: 0, errors: [] });
    // The 106, the organization, the projects, the environments, the services of each environment, the registries. Lists
    // older than five seconds are read again, which happens on a busy machine.
    expect((await server.seen()).length).toBeLessThanOrEqual(106 + 3 + 4 * 5 + 1);
    await server.forgetRequests();
    expect(await stack.preview()).toMatchObject(nothing);
    expect(await server.seen()).toEqual([]);
    expect(await stack.refresh()).toMatchObject(nothing);
    expect((await server.seen()).length).toBeLessThanOrEqual(10);
  },
);
