import { expect, onTestFinished, test } from "vitest";
import { startProxy } from "./proxy.ts";
import type { Findings } from "./traffic.ts";
import { playShop, shopSecrets } from "../../tools/demo/shop-demo.ts";
import { played } from "../tools/played.ts";

test("the demo shows no secret, and all its requests and responses match the shapes of the API", async () => {
  let findings: Findings | undefined;
  const text = await played(
    (stage, adopted) =>
      playShop(stage, { staging: "examples/shop/staging", preview: "examples/shop/preview", adopted }),
    {
      variables: shopSecrets,
      async clientUrl(url) {
        const proxy = await startProxy(url);
        onTestFinished(proxy.stop);
        ({ findings } = proxy);
        return proxy.url;
      },
    },
  );
  expect(text).toContain("7. All of it is taken down, the preview first");
  for (const value of Object.values(shopSecrets)) expect(text.includes(value)).toBe(false);
  expect(findings).toMatchObject({ uncovered: [], violations: [] });
  expect(findings?.checked).toBeGreaterThan(100);
});
