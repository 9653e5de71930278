import { readFile } from "node:fs/promises";
import path from "node:path";
import * as pulumi from "@pulumi/pulumi";
import ts from "typescript";
import { expect, test } from "vitest";
import { kinds } from "../../../core/model/kinds/index.ts";
import { serialisedProvider } from "./serialised.ts";

const source = path.join(import.meta.dirname, "..", "..", "..", "provider", "dynamic", "provider.ts");

/** The compiled module, which programs import. */
async function compiled(): Promise<typeof import("../../../provider/dynamic/provider.ts")> {
  const { outputText } = ts.transpileModule(await readFile(source, "utf8"), {
    compilerOptions: { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ES2022, removeComments: false },
  });
  return import(`data:text/javascript,${encodeURIComponent(outputText)}`);
}

test.each(kinds.map(({ name }) => name))(
  "the provider text in the state of every %s is the one of the first release",
  async (kind) => {
    const provider = (await compiled()).providerOf(kind);
    const { text } = await pulumi.runtime.serializeFunction(() => provider);
    expect(text).toBe(await serialisedProvider(kind));
  },
);
