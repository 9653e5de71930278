import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { acceptDrift } from "../../../../core/import/manifest-update/index.ts";
import { formatAddress } from "../../../../core/model/addresses/address.ts";
import { commentsIn } from "../../../../core/import/manifest-update/edit/index.ts";
import type { Fields } from "../../../../core/values/json.ts";
import type { Kind } from "../../../../core/model/kinds/index.ts";
import { loadManifests, toDesired } from "../../../../core/manifests/manifest/index.ts";
import { Variables } from "../../../../core/source/variables.ts";
import { Harness, summary } from "../../../fixtures/harness.ts";
import {
  documentOf,
  helmRepositories,
  holdersOf,
  nameFor,
  randomKinds,
} from "../../../fixtures/every-kind.ts";
import { tries, seed as firstSeed } from "../../../fixtures/random-cases.ts";
import { arbitraryFields } from "../../../fixtures/random-documents.ts";
import { randomYaml } from "../../../fixtures/random-yaml.ts";
import { removeFolder } from "../../../fixtures/remove-folder.ts";

let harness: Harness;
let folder: string;
beforeAll(async () => {
  harness = await Harness.start({ seed: { helm_repositories: helmRepositories } });
});
afterAll(() => harness[Symbol.asyncDispose]());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "infrasync-accept-"));
  return () => removeFolder(folder);
});

describe.each(randomKinds)("$name", (kind) => {
  test.each(Array.from({ length: tries(1) }, (_, index) => firstSeed + index))(
    "files that take over what is live plan as no changes, and keep their comments (seed %i)",
    async (seed) => {
      await harness.api("POST", "/_emulator/reset");
      const holders = holdersOf(kind, seed);
      await harness.reconcile([
        ...holders,
        documentOf(kind, nameFor(kind, "one"), drawn(kind, "complete", seed)),
      ]);
      const declared = documentOf(
        kind,
        nameFor(kind, "one"),
        drawn(kind, seed % 2 ? "complete" : "partial", seed + 1000),
      );
      const text = [...holders, declared]
        .map((document, index) => ended(randomYaml(document, seed + index)))
        .join("---\n");
      const file = join(folder, "all.yaml");
      await writeFile(file, text);

      const before = await readDeclared(file);
      const run = harness.context();
      const { files, kept, missing, problems, accepted } = await acceptDrift(
        run,
        harness.organization,
        before,
        () => true,
      );
      // Only the manifest knows the source of a secret that is not live.
      const isSource = ({ message }: { message: string }) =>
        message.includes("infrasync cannot write its value");
      const others = kept.filter((each) => !isSource(each));
      expect(others.map(({ address, message }) => `${formatAddress(address)}: ${message}`)).toEqual([]);
      expect({ missing, problems }).toEqual({ missing: [], problems: [] });
      expect(files.length).toBe(accepted.length > 0 ? 1 : 0);
      for (const { name, after } of files) await writeFile(name, after);

      const plan = await harness.plan(await textOf(file));
      const changed = plan.actions.flatMap((action) =>
        action.type === "update" ? action.changes.map(({ path }) => path) : [],
      );
      expect(summary(plan)).toHaveLength(kept.length > 0 ? 1 : 0);
      expect(changed).toEqual(kept.map(({ path }) => path));
      const comments = commentsIn(await textOf(file));
      expect(comments.toSorted()).toEqual(commentsIn(text).toSorted());
    },
  );
});

const textOf = (file: string) => readFile(file, "utf8");

const ended = (text: string) => (text.endsWith("\n") ? text : `${text}\n`);

function drawn(kind: Kind, extent: "complete" | "partial", seed: number): Fields {
  const [fields = {}] = fc.sample(arbitraryFields(kind, extent, "with", "with"), { numRuns: 1, seed });
  return fields;
}

async function readDeclared(file: string) {
  const loaded = await loadManifests([file]);
  const { resources, problems } = toDesired(loaded.documents);
  expect([...loaded.problems, ...problems]).toEqual([]);
  return { loaded, resources, variables: new Variables() };
}
