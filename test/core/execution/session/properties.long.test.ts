import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Address } from "../../../../core/model/addresses/address.ts";
import { kindOf } from "../../../../core/index.ts";
import { compare } from "../../../../core/model/fields/compare.ts";
import { overlay } from "../../../../core/model/fields/overlay.ts";
import { type Fields, isFields, type Json } from "../../../../core/values/json.ts";
import { fieldsIn, type Kind } from "../../../../core/model/kinds/index.ts";
import { job } from "../../../../core/model/kinds/job.ts";
import type { Plan } from "../../../../core/planning/plan/index.ts";
import { arbitraryFields, manifests } from "../../../fixtures/random-documents.ts";
import { LiveStore } from "../../../../core/state/live/index.ts";
import { ownPartFields, declaredParts } from "../../../../core/model/parts/index.ts";
import { withOwnDomains } from "../../../fixtures/random-parts.ts";
import { summary } from "../../../fixtures/harness.ts";
import { useHarness } from "../../../fixtures/use-harness.ts";
import { allow } from "../../../fixtures/policy.ts";
import { tries } from "../../../fixtures/random-cases.ts";

const runs = { numRuns: tries(3) };

const harness = useHarness();

const changedManifests = manifests.chain((documents) =>
  fc
    .tuple(...documents.map((document) => changed(document)))
    .map((next) => ({ documents, next: next as Fields[] })),
);

/** The same document with other fields, and only those, so that all undeclared fields must stay. */
function changed(document: Fields): fc.Arbitrary<Fields> {
  const kind = kindOf(String(document["kind"]));
  const { kind: name, project, environment: holder, name: own } = document;
  const identity: Fields = {
    kind: name ?? "",
    name: own ?? "",
    ...(project !== undefined && { project }),
    ...(holder !== undefined && { environment: holder }),
  };
  return arbitraryFields(kind, "partial", "without").map((fields) =>
    withOwnDomains({ ...identity, ...fields }),
  );
}

function fieldsOf(document: Fields): Fields {
  const { kind: _kind, project: _project, environment: _environment, name: _name, ...fields } = document;
  return fields;
}

async function reset(): Promise<void> {
  await harness.api("POST", "/_emulator/reset");
}

async function isEmpty(documents: readonly Fields[]): Promise<void> {
  expect(summary(await harness.plan(documents))).toEqual([]);
}

/** The response of the API for the resource of an address. */
function read(everything: ReadonlyMap<string, Fields>, { kind, names }: Address): Fields {
  const key = kind.listing.serviceType
    ? `${names.slice(0, -1).join("/")}/${kind.listing.serviceType} ${names.at(-1)}`
    : names.join("/");
  const found = everything.get(key);
  if (!found)
    throw new Error(`${names.join("/")} is not there; there are ${[...everything.keys()].join(", ")}`);
  return found;
}

/** Every field that the plan predicts equals the field that is read afterwards. */
async function expectPredicted(plan: Plan): Promise<void> {
  const everything = await harness.everything();
  for (const action of plan.actions) {
    if (action.type === "none" || action.type === "delete" || action.type === "deploy") continue;
    const { kind } = action.address;
    const predicted = action.expected;
    const response = read(everything, action.address);
    const { environment } = response;
    const parentId = isFields(environment) ? String(environment["id"]) : undefined;
    const owner = { kind, id: String(response["id"]), parentId: parentId ?? "parent" };
    const parts = declaredParts(kind).filter(({ form }) => !form.isSingle || parentId !== undefined);
    const entries = await new LiveStore().partsOf(harness.client, owner, parts);
    const actual = { ...fieldsIn(kind, response), ...ownPartFields(parts, entries ?? []) };
    const declared = Object.fromEntries(Object.entries(predicted).filter(([, value]) => value !== null));
    expect(compare(kind.fields, actual, overlay(kind.fields, actual, declared)), action.id).toEqual([]);
    if (action.type !== "create")
      expect(
        Object.keys(predicted).filter(
          (member) => !(member in actual) && !isDefault(kind, member, predicted[member]),
        ),
      ).toEqual([]);
  }
}

function isDefault(kind: Kind, member: string, value: Json | undefined): boolean {
  return value !== undefined && compare(kind.fields, {}, { [member]: value }).length === 0;
}

describe("for random manifests", () => {
  test("apply makes the next plan empty, and its prediction is right", async () => {
    await fc.assert(
      fc.asyncProperty(manifests, async (documents) => {
        await reset();
        const plan = await harness.reconcile(documents);
        await isEmpty(documents);
        await expectPredicted(plan);
      }),
      runs,
    );
  });

  test("an update converges, its prediction is right, and it changes no undeclared field", async () => {
    await fc.assert(
      fc.asyncProperty(changedManifests, async ({ documents, next }) => {
        await reset();
        await harness.reconcile(documents);
        const before = await harness.everything();
        const plan = await harness.reconcile(next, allow("**"));
        await isEmpty(next);
        await expectPredicted(plan);
        const after = await harness.everything();
        expect([...after.keys()]).toEqual([...before.keys()]);
        for (const document of next) {
          const kind = kindOf(String(document["kind"]));
          const parent = document["project"] ?? document["environment"];
          const names = [
            ...(parent === undefined ? [] : String(parent).split("/")),
            String(document["name"]),
          ];
          const address = { kind, names };
          expect(undeclaredChanges(read(before, address), read(after, address), fieldsOf(document))).toEqual(
            [],
          );
        }
      }),
      runs,
    );
  });

  test("the order of documents, members and elements of sets does not matter", async () => {
    await fc.assert(
      fc.asyncProperty(
        manifests.chain((documents) =>
          fc.record({ documents: fc.constant(documents), shuffled: shuffle(documents) }),
        ),
        async ({ documents, shuffled }) => {
          await reset();
          await harness.reconcile(shuffled);
          await isEmpty(documents);
          await isEmpty(shuffled.toReversed());
        },
      ),
      runs,
    );
  });

  test("resources outside the scope stay unchanged", async () => {
    await fc.assert(
      fc.asyncProperty(changedManifests, async ({ documents, next }) => {
        await reset();
        const elsewhere = documents.map((document) => withOwnDomains(moved(document)));
        await harness.reconcile([...documents, ...elsewhere]);
        const before = await outside();
        await harness.reconcile(next, allow("**"));
        await harness.reconcile(next.slice(0, 2), { prune: true, ...allow("**") });
        expect(await outside()).toEqual(before);
      }),
      runs,
    );
  });

  test("a clone of an environment with overrides converges, and its prediction is right", async () => {
    const scenario = manifests.chain((documents) =>
      fc.record({
        documents: fc.constant(documents),
        mode: fc.constantFrom("STAGING", "PREVIEW", undefined),
        job: arbitraryFields(job, "partial", "without"),
        copy: arbitraryFields(job, "partial", "without"),
        inOneRun: fc.boolean(),
      }),
    );
    await fc.assert(
      fc.asyncProperty(scenario, async ({ documents, mode, job: override, copy, inOneRun }) => {
        await reset();
        const clones: Fields[] = [
          {
            kind: "Environment",
            project: "shop",
            name: "clone",
            clone: { from: "shop/production" },
            ...(mode !== undefined && { mode }),
          },
          { kind: "Job", environment: "shop/clone", name: "job-0", ...override },
          {
            kind: "Job",
            environment: "shop/staging",
            name: "copy",
            clone: { from: "shop/production/job-0" },
            ...copy,
          },
        ];
        if (!inOneRun) await harness.reconcile(documents);
        const plan = await harness.reconcile([...documents, ...clones]);
        await isEmpty([...documents, ...clones]);
        await expectPredicted(plan);
        const everything = await harness.everything();
        const inside = (name: string) =>
          [...everything.keys()]
            .filter((key) => key.startsWith(`shop/${name}/`))
            .map((key) => key.slice(`shop/${name}/`.length))
            .toSorted();
        expect(inside("clone")).toEqual(inside("production"));
      }),
      runs,
    );
  });
});

function moved(document: Fields): Fields {
  const rename = (value: Json | undefined): Json => String(value).replace(/^shop/, "other");
  return {
    ...document,
    ...(document["kind"] === "Project" && { name: "other" }),
    ...(document["project"] !== undefined && { project: rename(document["project"]) }),
    ...(document["environment"] !== undefined && { environment: rename(document["environment"]) }),
  };
}

async function outside(): Promise<[string, Fields][]> {
  return [...(await harness.everything())].filter(([path]) => path.startsWith("other"));
}

/** The members of a response that changed without being stated, except those that change by themselves. */
function undeclaredChanges(before: Fields, after: Fields, declared: Fields): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((member) => {
    const [left, right, said] = [before, after, declared].map((fields) =>
      member === "autoscaling" ? withoutIds(fields[member]) : fields[member],
    );
    if (member === "updated_at") return [];
    if (said === undefined)
      return isDeepStrictEqual(left, right)
        ? []
        : [`${member}: ${JSON.stringify(left)} -> ${JSON.stringify(right)}`];
    // References and alternatives have another form in a response; the members inside them are all stated.
    const isPlain = !["source", "git_repository", "type"].includes(member);
    return isPlain && isFields(left) && isFields(right) && isFields(said)
      ? undeclaredChanges(left, right, said).map((path) => `${member}.${path}`)
      : [];
  });
}

/** A request for autoscaling has no ids, so the API creates new ids with every update. */
function withoutIds(value: Json | undefined): Json | undefined {
  if (Array.isArray(value)) return value.map((element) => withoutIds(element) ?? null);
  if (!isFields(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([member, inner]) =>
      member === "id" || member === "created_at" ? [] : [[member, withoutIds(inner) ?? null]],
    ),
  );
}

function shuffle(documents: Fields[]): fc.Arbitrary<Fields[]> {
  return fc
    .tuple(fc.nat(), fc.shuffledSubarray(documents, { minLength: documents.length }))
    .map(([seed, order]) => order.map((document) => shuffleMembers(document, seed) as Fields));
}

/** Shuffles members everywhere, and reverses the lists that are sets. */
function shuffleMembers(value: Json, seed: number): Json {
  if (Array.isArray(value)) return value;
  if (!isFields(value)) return value;
  const entries = Object.entries(value).map(([member, inner]): [string, Json] => [
    member,
    Array.isArray(inner) && ["ports", "storage", "annotations_groups", "labels_groups"].includes(member)
      ? inner.toReversed()
      : shuffleMembers(inner, seed),
  ]);
  return Object.fromEntries(seed % 2 === 0 ? entries.toReversed() : entries);
}
