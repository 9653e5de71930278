import { expect, test } from "vitest";
import { playGitops } from "../../tools/demo/gitops-demo.ts";
import { played } from "./played.ts";

test("the service applies a push, undoes drift, pauses in a drift loop, replaces with a consent in git, and previews a pull request", async () => {
  const text = await played((stage, folder) => playGitops(stage, folder), {
    flags: ["--set", "rate_limit=0"],
  });
  expect(text).toContain("drift loop");
  expect(text).toContain("6. The consent is given in git, for just this replacement");
  expect(text).toContain("shop/pr-42 is deleted.");
  expect(text).not.toContain("a-secret-of-the-demo");
});
