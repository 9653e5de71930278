import { expect, test } from "vitest";
import type { Fields, Json } from "../../../../core/values/json.ts";
import type { Kind } from "../../../../core/model/kinds/index.ts";
import { lostParts, declaredParts } from "../../../../core/model/parts/index.ts";
import { lossesOf, type Plan } from "../../../../core/planning/plan/index.ts";
import { documentOf, holdersOf, randomKinds, sample } from "../../../fixtures/every-kind.ts";
import { useHarness } from "../../../fixtures/use-harness.ts";

// Every part of every kind that can be removed is in the ledger of the plan that removes it. The fields of the kinds are in
// test/core/planning/plan/field-losses.test.ts, those of the parts that a document declares as a mapping of fields among them.

const harness = useHarness();

/** An entry of each part, as a document declares it, and the document's word that it goes; a part without them fails the test. */
const entries: Record<string, { declared: Json; gone: Json; key: string }> = {
  variables: { declared: { LEVEL: "info" }, gone: { LEVEL: null }, key: "LEVEL" },
  secrets: { declared: { PASSWORD: { from_env: "SHOP_FIRST" } }, gone: { PASSWORD: null }, key: "PASSWORD" },
  custom_domains: {
    declared: { "shop.example.com": {} },
    gone: { "shop.example.com": null },
    key: "shop.example.com",
  },
  deployment_restrictions: {
    declared: [{ mode: "MATCH", type: "PATH", value: "src/" }],
    // Those that the list lacks go where the document says so.
    gone: [],
    key: "[MATCH/PATH/src/]",
  },
  routing_table: {
    declared: { "10.0.0.0/16": { target: "pcx-1", description: "office" } },
    gone: { "10.0.0.0/16": null },
    key: "10.0.0.0/16",
  },
  argo_cd_mappings: {
    declared: { "https://in.example.com": {} },
    gone: { "https://in.example.com": null },
    key: "https://in.example.com",
  },
};

const kindsWithParts = randomKinds.flatMap((kind) => {
  const members = removable(kind);
  return members.length > 0 ? [{ name: kind.name, kind, members }] : [];
});

/** The members whose entries documents can remove, one by one. */
function removable(kind: Kind): string[] {
  return declaredParts(kind)
    .filter(({ member, form }) => !form.isPermanent && !kind.fields.properties?.[member]?.properties)
    .map(({ member }) => member);
}

function entryOf(member: string) {
  const entry = entries[member];
  if (!entry) throw new Error(`say what an entry of ${member} is, so that its loss is tested`);
  return entry;
}

function documentsOf(kind: Kind, members: readonly string[], form: "declared" | "gone"): Fields[] {
  const { custom_domains: _drawn, ...fields } = sample(kind, 1);
  const parts = members.map((member) => [member, entryOf(member)[form]]);
  // Mappings need what they are about.
  const argo = { argocd_url: "https://argo.example.com", argocd_token: { from_env: "SHOP_FIRST" } };
  return [
    ...holdersOf(kind, 1),
    documentOf(kind, "one", {
      ...fields,
      ...(Object.fromEntries(parts) as Fields),
      ...(members.includes("argo_cd_mappings") && { argo_cd: argo }),
      ...(members.includes("deployment_restrictions") && {
        manage: { exclusive: ["deployment_restrictions"] },
      }),
    }),
  ];
}

/** The parts of the resource that a plan lists as lost. */
function partsLostBy(plan: Plan): string[] {
  return lossesOf(plan.actions)
    .filter(({ loss }) => loss.sort === "part" && loss.owner?.address.names.at(-1) === "one")
    .map(({ loss }) => loss.name)
    .toSorted();
}

test.each(kindsWithParts)(
  "the plan lists each part of a $name that it removes",
  async ({ kind, members }) => {
    await harness.reconcile(documentsOf(kind, members, "declared"));
    const removal = await harness.plan(documentsOf(kind, members, "gone"), { prune: true });
    expect(partsLostBy(removal)).toEqual(members.map((member) => entryOf(member).key).toSorted());

    const deletion = await harness.plan([documentOf(kind, "one", {})], {}, "destroy");
    const going = lostParts(kind).map(({ member }) => entryOf(member).key);
    expect(partsLostBy(deletion)).toEqual(going.toSorted());
  },
);
