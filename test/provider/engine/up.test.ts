import { expect, test } from "vitest";
import { nothing, shop, start } from "./shop.ts";

test("preview, up, change, replacement, destroy", async (context) => {
  const { server, stack } = await start(context, shop());
  const created = ["create Project shop", "create Environment staging", "create Application api", "create Job nightly"];

  const preview = await stack.preview();
  expect(preview).toMatchObject({ exitCode: 0, errors: [] });
  expect(new Set(preview.steps)).toEqual(new Set(created));
  expect(await server.seen()).toEqual([]);

  const up = await stack.up();
  expect(up).toMatchObject({ exitCode: 0, errors: [] });
  expect(new Set(up.steps)).toEqual(new Set(created));
  console.log(up.stdout, await server.seen());
  await server.forgetRequests();
  const again = await stack.up();
  expect(again).toMatchObject(nothing);
  expect(await stack.preview()).toMatchObject(nothing);
  expect(await server.seen()).toEqual([]);
  console.log(JSON.stringify((await stack.export()).resources, undefined, 1));

  const refreshed = await stack.refresh();
  expect(refreshed).toMatchObject(nothing);
  console.log(refreshed.stdout);

  await stack.rewrite(shop("cpu: 700,"));
  const changed = await stack.up("--diff");
  console.log(changed.stdout);
  expect(changed).toMatchObject({ exitCode: 0, steps: ["update Job nightly"] });

  await stack.rewrite(shop("cpu: 700,", 'cluster: "us-east",'));
  const replaced = await stack.up();
  expect(replaced).toMatchObject({ exitCode: 0 });
  console.log(replaced.stdout, replaced.steps);

  const destroyed = await stack.destroy();
  expect(destroyed.exitCode).toBe(0);
  expect(await server.everything()).toEqual(new Map());
});
