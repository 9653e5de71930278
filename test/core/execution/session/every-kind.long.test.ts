import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Fields, isFields, type Json } from "../../../../core/values/json.ts";
import { dump } from "../../../../core/import/live/index.ts";
import { formatManifest } from "../../../../core/manifests/manifest/index.ts";
import { SecretReader } from "../../../../core/secrets/index.ts";
import { propose } from "../../../../core/execution/session/index.ts";
import { desiredOf } from "../../../fixtures/desired.ts";
import { rawState } from "../../../fixtures/raw-state.ts";
import { type Kind, unknownMembers } from "../../../../core/model/kinds/index.ts";
import {
  acceptInvitation,
  documentOf,
  helmRepositories,
  holdersOf,
  inProjects,
  nameFor,
  namesOf,
  ofOrganization,
  randomKinds,
  sample,
} from "../../../fixtures/every-kind.ts";
import { arbitraryFields } from "../../../fixtures/random-documents.ts";
import { summary } from "../../../fixtures/harness.ts";
import { useHarness } from "../../../fixtures/use-harness.ts";
import { allow, openPolicy } from "../../../fixtures/policy.ts";
import { tries } from "../../../fixtures/random-cases.ts";
import { testChangesByHand } from "./changes-by-hand.ts";

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

      await acceptInvitation(harness);
      await expectKnown(kind, one);
      // What no request changes is made anew, except data.
      if (kind.use !== "data")
        await expectDone(isChanged(kind) ? "update" : "replace", [
          ...holders,
          await changed(document, holders, kind, seed),
        ]);
      // Unmanaged fields stay unchanged.
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

/** Somebody sets by hand what no document has stated: variables, one with a key that no document may have, a secret and a domain. */
async function setByHand(kind: Kind, id: string): Promise<string[]> {
  const scope = kind.slug.toUpperCase();
  const has = (member: string) => kind.parts.some((part) => part.member === member);
  const body = { variable_scope: scope, variable_parent_id: id, is_secret: false, value: "manually" };
  if (has("variables")) {
    await harness.api("POST", "/variable", { ...body, key: "BY_HAND" });
    await harness.api("POST", "/variable", { ...body, key: "by.hand" });
    await harness.api("POST", "/variable", { ...body, key: "HIDDEN", is_secret: true });
  }
  if (has("custom_domains"))
    await harness.api("POST", `/${kind.slug}/${id}/customDomain`, {
      domain: "by-hand.example.com",
      generate_certificate: false,
      use_cdn: true,
    });
  return has("variables") ? ["by.hand", "HIDDEN"] : [];
}

describe.each([...inProjects, ...ofOrganization])(
  "a random $name with what somebody has set manually",
  (kind) => {
    test.each(Array.from({ length: tries(2) }, (_, index) => index + 11))(
      "is made again from its dump as it was, but for ids, times and what the dump names (%i)",
      async (seed) => {
        await harness.api("POST", "/_emulator/reset");
        const name = nameFor(kind, "one");
        await harness.reconcile([...holdersOf(kind, seed), documentOf(kind, name, sample(kind, seed))]);
        await acceptInvitation(harness);
        const path = pathOf(kind, name);
        const answers = new Map([...(await harness.everything()), ...(await harness.besideProjects())]);
        const id = String(answers.get(path)?.["id"]);
        const unwritable = await setByHand(kind, id);
        const before = await rawState(harness);
        const { documents, leftOut } = await dump(harness.context(), harness.organization, undefined, {
          configuration: true,
          projectsOnly: inProjects.includes(kind),
        });
        const named = leftOut.map(
          ({ type }) => /^(?:secret |variables\.)"?([^"\s]+)"? of/.exec(type)?.[1] ?? type,
        );
        expect(named).toEqual(expect.arrayContaining(unwritable));
        await harness.api("POST", "/_emulator/reset");
        const text = documents.map((document) => formatManifest(document)).join("---\n");
        const { resources, problems } = desiredOf(text);
        expect(problems).toEqual([]);
        const run = harness.context({
          secrets: new SecretReader({ environment: anyValue, allowCommands: false }),
        });
        const { plan } = await propose(run, harness.organization, "reconcile", resources, openPolicy);
        const { outcomes } = await harness.apply(plan, { secrets: run.secrets });
        expect(outcomes.filter(({ status }) => status !== "done")).toEqual([]);
        await acceptInvitation(harness);
        const isNamed = (entry: Json) => isFields(entry) && named.includes(String(entry["key"]));
        const left = (state: ReadonlyMap<string, Json>) =>
          [...state].map(([key, value]) => [
            key,
            Array.isArray(value) ? value.filter((entry) => !isNamed(entry)) : value,
          ]);
        expect(new Map(left(await rawState(harness)) as never)).toEqual(new Map(left(before) as never));
      },
    );
  },
);

// The other kinds are those of `npm run test:long`.
testChangesByHand(
  harness,
  [...inProjects, ...ofOrganization].filter(({ name }) => name === "Container" || name === "Cluster"),
);

/** Every environment variable is set. */
const anyValue = new Proxy({}, { get: () => "a value", has: () => true });

/** Every member of the answer about a resource is a field, an output or a fact: an update sends nothing back unasked. */
async function expectKnown(kind: Kind, name: string): Promise<void> {
  const answers = new Map([...(await harness.everything()), ...(await harness.besideProjects())]);
  const response = answers.get(pathOf(kind, name));
  if (response) expect(unknownMembers(kind, response, {})).toEqual([]);
}

function pathOf(kind: Kind, name: string): string {
  if (!kind.listing.serviceType)
    return kind.depth < 2 && kind.slug !== "deploymentrule"
      ? [...namesOf(kind.parent), name].join("/")
      : `${kind.name} ${name}`;
  return `${namesOf(kind.parent).join("/")}/${kind.listing.serviceType} ${name}`;
}

/** Whether a request changes resources of a kind, so that none is made anew. */
function isChanged({ fields: { properties = {} } }: Kind): boolean {
  return Object.values(properties).some(({ immutable, place }) => !immutable && place !== "engine");
}

async function resourcesThere(): Promise<number> {
  return (await harness.everything()).size + (await harness.besideProjects()).size;
}

/** Applies documents, which must take one action of that type; afterwards the plan is empty. */
async function expectDone(type: string, documents: Fields[]): Promise<void> {
  const plan = await harness.reconcile(documents, allow("**"));
  expect(plan.actions.map((action) => action.type).filter((other) => other !== "none")).toEqual([type]);
  // Every member of an answer is a field, an output or a fact.
  expect(plan.notes.filter(({ message }) => message.includes("does not know"))).toEqual([]);
  const strict = await harness.plan(documents, { strict: true });
  expect(summary(strict)).toEqual([]);
  // What the server gives to members that are left out is not something that somebody has set.
  if (type === "create")
    expect(strict.notes.flatMap(({ code, message }) => (code === "undeclared_field" ? message : []))).toEqual(
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
