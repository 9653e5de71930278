import { expect, test } from "vitest";
import { chosenFrontEnds } from "./front-ends.ts";
import { nothing, shop, start } from "./shop.ts";

test.for(chosenFrontEnds)(
  "$name: an up for each save of a program, as `pulumi watch` starts them, sends what has changed and nothing else",
  async (frontEnd, context) => {
    const { server, stack } = await start(context, shop("cpu: 100,"), {}, frontEnd);
    expect(await stack.up()).toMatchObject({ exitCode: 0, errors: [] });
    const before = await server.everything();
    for (const [cpu, expected] of [
      [200, { steps: ["update Job nightly"], writes: ["PUT"] }],
      [300, { steps: ["update Job nightly"], writes: ["PUT"] }],
      [300, { steps: [], writes: [] }],
      [400, { steps: ["update Job nightly"], writes: ["PUT"] }],
    ] as const) {
      await server.forgetRequests();
      await stack.rewrite(shop(`cpu: ${cpu},`));
      const { steps, ...up } = await stack.up();
      expect(up).toMatchObject({ exitCode: 0, errors: [] });
      const sent = (await server.seen()).map(({ method }) => method);
      expect({ steps, writes: sent.filter((method) => method !== "GET") }).toEqual(expected);
      expect((await server.everything()).get("shop/staging/JOB nightly")).toMatchObject({ cpu });
    }
    // A save with a mistake in between leaves everything as it is.
    await server.forgetRequests();
    await stack.rewrite(shop('cpu: "many",'));
    expect((await stack.up()).exitCode).not.toBe(0);
    expect(await server.seen()).toEqual([]);
    await stack.rewrite(shop("cpu: 400,"));
    expect(await stack.up()).toMatchObject(nothing);
    const ids = (all: Awaited<ReturnType<typeof server.everything>>) => [...all.values()].map(({ id }) => id);
    expect(ids(await server.everything())).toEqual(ids(before));
  },
);
