import { expect, onTestFinished, test } from "vitest";
import { playShop, shopSecrets } from "../../tools/demo/shop-story.ts";
import { played } from "../tools/played.ts";
import { type Report, startProxy } from "./proxy.ts";

test("the demo shows no secret, and all its requests and responses match the API description", async () => {
  let report: (() => Promise<Report>) | undefined;
  const text = await played(
    (stage, adopted) =>
      playShop(stage, { staging: "examples/shop/staging", preview: "examples/shop/preview", adopted }),
    {
      variables: shopSecrets,
      async clientUrl(url) {
        const proxy = await startProxy(url);
        onTestFinished(proxy.stop);
        ({ report } = proxy);
        return proxy.url;
      },
    },
  );
  expect(text).toContain("7. All of it is taken down, the preview first");
  for (const value of Object.values(shopSecrets)) expect(text.includes(value)).toBe(false);
  const found = await report?.();
  expect(found?.violations).toEqual([]);
  expect(found?.uncovered).toEqual([]);
  expect(found?.checked).toBeGreaterThan(100);
});
