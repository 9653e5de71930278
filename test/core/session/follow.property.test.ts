import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { kindOf, parsePattern } from "../../../core/index.ts";
import { compare } from "../../../core/fields/compare.ts";
import { withoutElementIds } from "../../../core/fields/overlay.ts";
import { type Fields, isFields } from "../../../core/json.ts";
import { fieldsIn } from "../../../core/kinds/index.ts";
import { LiveStore } from "../../../core/live/index.ts";
import { ownPartFields, statedParts } from "../../../core/parts/index.ts";
import { arbitraryFields, manifests } from "../../fixtures/random-documents.ts";
import { withOwnDomains } from "../../fixtures/random-parts.ts";
import { Harness, summary } from "../../fixtures/harness.ts";
import { tries } from "../../fixtures/random-cases.ts";

const runs = { numRuns: tries(4), endOnFailure: true };
const consent = { prune: true, allowReplace: [parsePattern("**")] };

let harness: Harness;
beforeAll(async () => {
  harness = await Harness.start();
});
afterAll(() => harness[Symbol.asyncDispose]());

const preview: Fields = {
  kind: "Environment",
  project: "shop",
  name: "preview",
  mode: "PREVIEW",
  clone: { from: "shop/production", follow: true },
  manage: { prune: true },
};

interface Story {
  before: Fields[];
  /** Other fields of the same resources, some of them reset. */
  changes: Fields[];
  /** The service of the source that goes, and whether one comes. */
  goes: number;
  comes: boolean;
  /** Whether the documents of the source and of the clone are applied in one run. */
  isTogether: boolean;
  /** What the document of the first job in the clone states. */
  own: Fields;
}

const stories: fc.Arbitrary<Story> = manifests.chain((before) =>
  fc.record({
    before: fc.constant(before),
    changes: fc.tuple(...before.map(changed)).map((changes) => changes),
    goes: fc.nat({ max: 8 }),
    comes: fc.boolean(),
    isTogether: fc.boolean(),
    own: fc.oneof(
      fc.constant<Fields>({}),
      fc.record<Fields>({ cpu: fc.constant(300), variables: fc.constant({ FIRST: "own" }) }),
    ),
  }),
);

function changed(document: Fields): fc.Arbitrary<Fields> {
  const { kind, project, environment, name = "" } = document;
  const identity: Fields = {
    kind: kind ?? "",
    name,
    ...(project !== undefined && { project }),
    ...(environment !== undefined && { environment }),
  };
  return arbitraryFields(kindOf(String(kind)), "partial", "without").map((fields) =>
    withOwnDomains({ ...identity, ...fields }),
  );
}

/** The services of an environment: by type and name, their fields with the variables. */
async function servicesOf(environment: string): Promise<Map<string, Fields>> {
  const found = new Map<string, Fields>();
  for (const [path, response] of await harness.everything()) {
    if (!path.startsWith(`${environment}/`) || !isFields(response)) continue;
    const type = String(response["service_type"]);
    const kind = kindOf(type.charAt(0) + type.slice(1).toLowerCase());
    const parts = statedParts(kind).filter(({ member }) => member === "variables");
    const owner = { kind, id: String(response["id"]), parentId: "parent" };
    const entries = await new LiveStore().partsOf(harness.client, owner, parts);
    const fields = withoutElementIds(kind.fields, fieldsIn(kind, response));
    found.set(path.slice(environment.length), { ...fields, ...ownPartFields(parts, entries ?? []) });
  }
  return found;
}

test("a clone of an environment is what its source is after every apply, and the second apply sends nothing", async () => {
  let followed = 0;
  await fc.assert(
    fc.asyncProperty(stories, async ({ before, changes, goes, comes, isTogether, own }) => {
      await harness.api("POST", "/_emulator/reset");
      const first = before.find(({ name }) => name === "job-0");
      const inClone: Fields[] = first
        ? [{ kind: "Job", environment: "shop/preview", name: "job-0", ...own }]
        : [];
      await harness.reconcile([...before, preview, ...inClone]);

      const gone = (await harness.results(`/environment/${await harness.idOf("shop/production")}/services`))[
        goes
      ];
      if (gone && gone["name"] !== "job-0")
        await harness.api("DELETE", `/${String(gone["service_type"]).toLowerCase()}/${String(gone["id"])}`);
      const left = changes.filter(({ name }) => name !== gone?.["name"] || name === "job-0");
      const more: Fields[] = comes
        ? [{ kind: "Job", environment: "shop/production", name: "new", ...complete }]
        : [];
      if (isTogether) await harness.reconcile([...left, ...more, preview, ...inClone], consent);
      else {
        await harness.reconcile([...left, ...more], consent);
        await harness.reconcile([preview, ...inClone], consent);
      }
      followed += left.length;

      expect(summary(await harness.plan([preview, ...inClone], consent))).toEqual([]);
      await harness.forgetRequests();
      await harness.reconcile([preview, ...inClone], consent);
      expect(await harness.writes()).toEqual([]);

      const [source, clone] = [await servicesOf("shop/production"), await servicesOf("shop/preview")];
      expect([...clone.keys()].toSorted()).toEqual([...source.keys()].toSorted());
      for (const [name, fields] of source) {
        const kind = kindOf(name.includes("JOB") ? "Job" : "Application");
        const differs = compare(kind.fields, fields, clone.get(name) ?? {}).map(({ path }) => path.join("."));
        const isOwn = name.endsWith("job-0") && Object.keys(own).length > 0;
        const stated = isOwn ? ["cpu", "variables.FIRST"] : [];
        expect(differs.filter((path) => !stated.some((each) => path.startsWith(each)))).toEqual([]);
      }
    }),
    runs,
  );
  expect(followed).toBeGreaterThan(0);
});

const complete: Fields = {
  source: { image: { registry: "docker-hub", image_name: "acme/new", tag: "1" } },
  schedule: { on_start: {} },
};
