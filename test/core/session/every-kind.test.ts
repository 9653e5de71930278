import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Fields } from "../../../core/json.ts";
import type { Kind } from "../../../core/kinds/index.ts";
import {
  documentOf,
  helmRepositories,
  holdersOf,
  nameFor,
  namesOf,
  randomKinds,
  sample,
} from "../../fixtures/every-kind.ts";
import { arbitraryFields } from "../../fixtures/random-documents.ts";
import { summary } from "../../fixtures/harness.ts";
import { useHarness } from "../../fixtures/use-harness.ts";
import { allow } from "../../fixtures/policy.ts";
import { tries } from "../../fixtures/random-cases.ts";

const harness = useHarness({ seed: { helm_repositories: helmRepositories } });

/** Every kind must pass these tests: their documents are generated from its schema. */
describe.each(randomKinds)("$name", (kind) => {
  test.each(Array.from({ length: tries(1) }, (_, index) => index + 1))(
    "create, read, update, clone and delete: the second plan is empty (%i)",
    async (seed) => {
      const holders = holdersOf(kind, seed);
      const one = nameFor(kind, "one");
      const document = documentOf(kind, one, sample(kind, seed));
      await harness.reconcile(holders);

      await expectDone("create", [...holders, document]);

      await acceptInvitation();
      // What no request changes is made anew, except data.
      if (kind.use !== "data")
        await expectDone(isChanged(kind) ? "update" : "replace", [
          ...holders,
          await changed(document, holders, kind, seed),
        ]);
      // Unstated fields stay unchanged.
      const bare = documentOf(kind, one, {});
      expect(summary(await harness.plan([...holders, bare]))).toEqual([]);

      const copy = {
        ...documentOf(kind, "two", {}),
        clone: { from: [...namesOf(kind.parent), one].join("/") },
      };
      if (kind.clone) await expectDone("clone", [...holders, bare, copy]);

      const before = await resourcesThere();
      const destroy = await harness.plan([bare], { prune: true }, "destroy");
      expect(summary(destroy)).toEqual([`delete ${addressOf(kind, one)}`]);
      expect((await harness.apply(destroy)).outcomes.map(({ status }) => status)).toEqual(["done"]);
      expect(await resourcesThere()).toBe(before - 1);
      expect(summary(await harness.plan([bare], {}, "destroy"))).toEqual([]);
      if (kind.clone) expect(summary(await harness.plan([...holders, copy]))).toEqual([]);
    },
  );
});

/** Whether a request changes resources of a kind, so that none is made anew. */
function isChanged({ fields: { properties = {} } }: Kind): boolean {
  return Object.values(properties).some(({ immutable, place }) => !immutable && place !== "engine");
}

/** A person who is invited accepts: before that, no request changes the member. */
async function acceptInvitation(): Promise<void> {
  const path = `/organization/${harness.organization.id}/inviteMember`;
  for (const { id } of await harness.results(path)) await harness.api("POST", `${path}/${String(id)}`);
}

async function resourcesThere(): Promise<number> {
  return (await harness.everything()).size + (await harness.besideProjects()).size;
}

/** Applies documents, which must take one action of that type; afterwards the plan is empty. */
async function expectDone(type: string, documents: Fields[]): Promise<void> {
  const plan = await harness.reconcile(documents, allow("**"));
  expect(plan.actions.map((action) => action.type).filter((other) => other !== "none")).toEqual([type]);
  const strict = await harness.plan(documents, { strict: true });
  expect(summary(strict)).toEqual([]);
  // What the server gives to members that are left out is not something that somebody has set.
  if (type === "create")
    expect(strict.notes.flatMap(({ code, message }) => (code === "unstated_field" ? message : []))).toEqual(
      [],
    );
}

/** The document with other fields, at least one of which makes a difference. */
async function changed(document: Fields, holders: Fields[], kind: Kind, seed: number): Promise<Fields> {
  const immutable = kind.names?.immutable === undefined ? "without" : "with";
  for (const fields of fc.sample(arbitraryFields(kind, "partial", immutable, "with"), {
    numRuns: tries(8),
    seed,
  })) {
    const candidate = { ...document, ...fields };
    if (summary(await harness.plan([...holders, candidate])).length > 0) return candidate;
  }
  throw new Error(`no sample changes the ${kind.name}`);
}

function addressOf(kind: Kind, name: string): string {
  return `${kind.slug}:${[...namesOf(kind.parent), name].join("/")}`;
}
