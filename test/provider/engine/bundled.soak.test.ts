import path from "node:path";
import { type OutputChunk, rolldown } from "rolldown";
import { expect, test } from "vitest";
import { frontEnds } from "./front-ends.ts";
import { nothing, shop, start } from "./shop.ts";

const checkout = path.join(import.meta.dirname, "..", "..", "..");

/** A program as one file, without the packages that the page says to leave out. */
async function bundled(file: string, folder: string): Promise<string> {
  const bundle = await rolldown({
    input: file,
    cwd: folder,
    platform: "node",
    external: [/^@pulumi\/pulumi/, /^infrasync/],
  });
  try {
    const { output } = await bundle.generate({ format: "esm" });
    const chunks = output.filter((each): each is OutputChunk => each.type === "chunk");
    expect(chunks).toHaveLength(1);
    return chunks[0]?.code ?? "";
  } finally {
    await bundle.close();
  }
}

test.for(frontEnds)(
  "$name: a bundled program that leaves infrasync and Pulumi out creates, shows no change, refreshes and destroys",
  async (frontEnd, context) => {
    const library = `import { parse } from "yaml"; export const sizes = parse("cpu: 700");`;
    const text = `import { sizes } from "./sizes.js";\n${shop("cpu: sizes.cpu,")}`;
    const { server, stack } = await start(context, text, {}, frontEnd, {
      packages: { yaml: path.join(checkout, "node_modules", "yaml") },
      usesLanguageHost: true,
    });
    await stack.write("sizes.js", library);
    await stack.write("index.js", await bundled(path.join(stack.folder, "index.js"), stack.folder));
    expect(await stack.up()).toMatchObject({ exitCode: 0, errors: [] });
    expect((await server.everything()).get("shop/staging/JOB nightly")).toMatchObject({ cpu: 700 });
    expect(await stack.preview("--expect-no-changes")).toMatchObject({ exitCode: 0, errors: [] });
    expect(await stack.refresh()).toMatchObject(nothing);
    expect(await stack.destroy()).toMatchObject({ exitCode: 0, errors: [] });
    expect((await server.everything()).size).toBe(0);
  },
);
