import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { lostAttributes, membersUsed, placeOfSecret } from "../../../../core/import/terraform/attributes.ts";
import {
  type ResourceType,
  resourceType,
  typeNames,
  typesOfKind,
  useOfAttribute,
} from "../../../../core/import/terraform/resource-types.ts";
import { kindOf, kinds } from "../../../../core/kinds/index.ts";
import type { Fields } from "../../../../core/json.ts";
import { documentedAttributes } from "../../../fixtures/terraform-attributes.ts";

const known = (name: string): ResourceType => {
  const type = resourceType(`qovery_${name}`);
  if (!("kind" in type)) throw new Error(`${name} has no kind`);
  return type;
};

describe.each(Object.entries(documentedAttributes))("%s", (name, attributes) => {
  const { kind } = known(name);
  const place = kind.parentMember === undefined ? "organization_id" : `${kind.parentMember}_id`;

  test("each documented attribute is a member, reported, or known to be lost", () => {
    const uses = ["id", place, ...attributes].map((attribute) => [
      attribute,
      useOfAttribute(known(name), attribute),
    ]);
    expect(uses.filter(([, use]) => use === "unknown")).toEqual([]);
  });
});

test("the page says what becomes of each type", () => {
  const page = readFileSync(
    join(import.meta.dirname, "../../../../docs/guides/moving-from-terraform.md"),
    "utf8",
  );
  const [, table = ""] = /## What becomes of each type\n([^#]*)/.exec(page) ?? [];
  const rows = new Map(
    [...table.matchAll(/^\| ((?:`qovery_\w+`(?:, )?)+) \| (.*) \|$/gm)].flatMap(
      ([, names = "", becomes = ""]) =>
        names.split(", ").map((name) => [name.slice(1, -1), becomes] as const),
    ),
  );
  expect([...rows.keys()].toSorted()).toEqual(typeNames().toSorted());
  for (const name of typeNames()) {
    const type = resourceType(name);
    const named = "kind" in type ? type.kind.name : "member" in type ? type.member : "nothing";
    expect(`${name}: ${rows.get(name)}`).toContain(`\`${named}\``.replace("`nothing`", "nothing"));
  }
});

test("a kind without a type is one that the provider does not have", () => {
  expect(kinds.filter((kind) => typesOfKind(kind).length === 0).map(({ name }) => name)).toEqual([
    "DeploymentRule",
    "Backup",
    "AzureCredentials",
    "OnPremiseCredentials",
    "Webhook",
  ]);
  expect(typesOfKind(kindOf("AwsCredentials")).map(({ name }) => name)).toEqual([
    "qovery_aws_credentials",
    "qovery_eks_anywhere_vsphere_credentials",
  ]);
});

test.each<[string, Fields, string[], string[]]>([
  ["nothing", {}, [], []],
  ["empty values", { cpu: null, secrets: [], healthchecks: {}, is_skipped: false, icon_uri: "" }, [], []],
  [
    "members of other names",
    { deployment_stage_id: "1", labels_group_ids: ["2"], is_skipped: true, secret_files: [{}] },
    ["deployment_stage", "labels_groups", "is_skipped", "secrets"],
    [],
  ],
  ["what the server decides", { id: "1", environment_id: "2", internal_host: "x" }, [], []],
  ["what is lost", { brand_new: 0 }, [], ["brand_new"]],
  [
    "names of the language",
    { constructor: 1, __proto__x: 1, toString: 1 } as Fields,
    [],
    ["constructor", "__proto__x", "toString"],
  ],
])("what a job with %s states and loses", (_name, attributes, members, lost) => {
  expect([...membersUsed(known("job"), attributes)]).toEqual(members);
  expect(lostAttributes(known("job"), attributes).map(({ attribute }) => attribute)).toEqual(lost);
});

test.each<[string, Fields, string[], string | undefined]>([
  ["git_token", { token: "x" }, ["token"], "token"],
  ["git_token", { token: null }, ["token"], undefined],
  ["container_registry", { config: { password: "x" } }, ["config", "password"], "config.password"],
  ["container_registry", { config: { username: "x" } }, ["config", "password"], undefined],
  ["container_registry", { config: "x" }, ["config", "password"], undefined],
  [
    "terraform_service",
    { variables: [{ key: "a", value: "x" }], tfvars_files: ["a"] },
    ["terraform_variables_source", "tf_vars", "[a]"],
    'variables["a"].value',
  ],
  [
    "cluster",
    { secret_manager_accesses: [{ name: "s", authentication: { secret_key: "x" } }] },
    ["secret_manager_accesses", "[s]", "authentication", "secret_key"],
    'secret_manager_accesses["s"].authentication.secret_key',
  ],
  ["cluster", { secret_manager_accesses: [] }, ["secret_manager_accesses", "[s]", "x"], undefined],
])("the place of a secret of %s %j at %j is %s", (name, attributes, path, place) => {
  expect(placeOfSecret(known(name), attributes, path)).toBe(place);
});
