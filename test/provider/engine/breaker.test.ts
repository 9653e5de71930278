import { expect, test } from "vitest";
import { frontEndsOf } from "./front-ends.ts";
import { nothing, program, start } from "./shop.ts";

const text = (cpu: number) =>
  program(`
    const shop = new Project("shop", { name: "shop" });
    const staging = new Environment("staging", { project: shop.id, name: "staging" });
    for (let number = 1; number <= 20; number += 1) {
      new Job(\`job-\${number}\`, {
        environment: staging.id, name: \`job-\${number}\`, cpu: ${cpu},
        source: { image: { registry: "docker-hub", imageName: "acme/report", tag: "1" } },
        schedule: { onStart: {} },
      });
    }
  `);

test.for(frontEndsOf(import.meta.filename))(
  "$name: a server that answers every update with 500 ends an up after a minute and some 60 requests, and a later up goes on",
  async (frontEnd, context) => {
    const { server, stack } = await start(context, text(500), {}, frontEnd);
    expect(await stack.up()).toMatchObject({ exitCode: 0, errors: [] });
    await stack.rewrite(text(600));
    await server.api("POST", "/_emulator/faults", [{ method: "PUT", path: "/job/*", status: 500 }]);
    await server.forgetRequests();
    const failed = await stack.up();
    expect(failed.exitCode).not.toBe(0);
    expect(failed.errors.join("\n")).toMatch(
      /the server has answered every change for 60 s with an error, so no further change is sent/,
    );
    expect((await server.seen()).length).toBeLessThan(80);
    await server.api("DELETE", "/_emulator/faults");
    expect(await stack.up()).toMatchObject({ exitCode: 0, errors: [] });
    expect(await stack.up("--refresh")).toMatchObject(nothing);
  },
);
