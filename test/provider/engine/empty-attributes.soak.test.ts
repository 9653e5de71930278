import { expect, test } from "vitest";
import { removeEmptyAttributes } from "./empty-attributes.ts";
import { start } from "./shop.ts";
import { tenResources } from "./ten-resources.ts";

test("a state whose attributes are empty cannot be read, and can once they are removed", async (context) => {
  const { stack } = await start(context, tenResources);
  await stack.shell(`: > "\${PULUMI_BACKEND_URL#file://}/.pulumi/stacks/test/dev.json.attrs"`, "");
  expect(await stack.shell("pulumi stack export", "")).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining("failed to load checkpoint: EOF"),
  });

  await stack.shell(removeEmptyAttributes, "");

  expect(await stack.shell("pulumi stack export", "")).toMatchObject({ exitCode: 0 });
});
