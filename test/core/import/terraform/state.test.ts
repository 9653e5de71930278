import { describe, expect, test } from "vitest";
import { readState } from "../../../../core/import/terraform/index.ts";
import type { Fields } from "../../../../core/json.ts";
import { maximumProblems } from "../../../../core/source/limits.ts";
import { InvalidInputError } from "../../../../core/problem.ts";
import { asFile, asShown, canary, type StateEntry } from "../../../fixtures/terraform-state.ts";

const id = "7e2a1f0c-3b51-4c2e-9a75-0d6f3f5f1a2b";
const read = (text: string | Uint8Array | undefined) =>
  readState(typeof text === "string" ? Buffer.from(text) : text, "terraform.tfstate");

const job: StateEntry = { type: "qovery_job", name: "nightly", attributes: { id } };

describe.each([
  ["terraform.tfstate", asFile],
  ["terraform show -json", asShown],
])("the form of %s", (_name, form) => {
  const addresses = (...entries: StateEntry[]) => read(form(entries)).resources.map(({ address }) => address);

  test.each<[string, Partial<StateEntry>, string]>([
    ["a single resource", {}, "qovery_job.nightly"],
    ["count", { key: 3 }, "qovery_job.nightly[3]"],
    ["for_each", { key: 'a "b"' }, String.raw`qovery_job.nightly["a \"b\""]`],
    [
      "a module",
      { module: 'module.shop["eu"].module.jobs' },
      'module.shop["eu"].module.jobs.qovery_job.nightly',
    ],
    ["a data source", { mode: "data" }, "data.qovery_job.nightly"],
    ["a hostile name", { name: "__proto__" }, "qovery_job.__proto__"],
  ])("the address of %s", (_case, entry, address) => {
    expect(addresses({ ...job, ...entry })).toEqual([address]);
  });

  test("an object is managed, tainted, deposed, or only read", () => {
    const { resources } = read(
      form([
        job,
        { ...job, name: "tainted", status: "tainted" },
        { ...job, name: "deposed", deposed: "ab12cd34" },
        { ...job, name: "read", mode: "data", attributes: {} },
      ]),
    );
    expect(resources.map(({ id: its, isManaged, condition }) => [its, isManaged, condition])).toEqual([
      [id, true, undefined],
      [id, true, "tainted"],
      [id, true, "deposed"],
      [undefined, false, undefined],
    ]);
  });

  test("resources of other providers are counted by their type, without what they have", () => {
    const bucket: StateEntry = { type: "aws_s3_bucket", name: "b", attributes: { secret: canary } };
    const state = read(form([bucket, { ...bucket, key: 1 }, { ...bucket, mode: "data" }, job]));
    expect([...state.foreign]).toEqual([["aws_s3_bucket", 2]]);
    expect(state.resources).toHaveLength(1);
    expect(JSON.stringify(state.resources)).not.toContain(canary);
  });

  test("an empty state has nothing", () => {
    expect(read(form([]))).toEqual({ resources: [], foreign: new Map() });
  });

  test("a resource without an id is a mistake, with its place", () => {
    for (const attributes of [{}, { id: "" }, { id: 7 }, { id: null }] as Fields[])
      expect(() => read(form([{ ...job, attributes }]))).toThrow(/resources\[0\].*\.id: is /);
  });
});

test("an attribute that the state marks as sensitive is recognized", () => {
  const path = [
    [{ type: "get_attr", value: "token" }],
    [{ type: "get_attr", value: "token" }, {}],
    "odd",
    7,
    [[]],
  ];
  const file = JSON.parse(asFile([job])) as { resources: { instances: object[] }[] };
  Object.assign(file.resources[0]?.instances[0] ?? {}, { sensitive_attributes: path });
  expect(read(JSON.stringify(file)).resources[0]?.sensitive).toEqual(["token", "odd"]);
  const shown = asShown([job]).replace(
    '"sensitive_values":{}',
    '"sensitive_values":{"token":true,"secrets":[{"value":true}],"ports":[{}],"x":false}',
  );
  expect(read(shown).resources[0]?.sensitive).toEqual(["token", "secrets"]);
});

const nested = (depth: number, inside: string) =>
  `{"format_version":"1.0","values":{"root_module":${'{"child_modules":['.repeat(depth)}${inside}${"]}".repeat(depth)}}}`;

test("modules may be nested to any depth, and values too", () => {
  expect(read(nested(20_000, "{}")).resources).toEqual([]);
  const deep = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
  const shown = asShown([job]).replace('"sensitive_values":{}', `"sensitive_values":{"a":${deep}}`);
  expect(read(shown).resources[0]?.sensitive).toEqual([]);
});

test("numbers of any size do no harm", () => {
  const text = asFile([{ ...job, key: 0 }])
    .replace('"index_key":0', '"index_key":1e999')
    .replace('"serial":7', '"serial":9e999');
  expect(read(text).resources.map(({ address }) => address)).toEqual(["qovery_job.nightly[null]"]);
});

test("a state written by Terraform 0.11 and upgraded has flat attributes", () => {
  const text = asFile([job]).replace('"attributes":{', '"attributes_flat":{');
  expect(read(text).resources[0]?.id).toBe(id);
});

const cut = asFile([{ ...job, attributes: { id, token: canary } }]);

/** What cannot be read, with a piece of the message and of the advice. */
const refused: [string, string | Uint8Array | undefined, string, string][] = [
  ["nothing", "", "is empty", "terraform state pull"],
  ["spaces", " \n ", "is empty", "terraform state pull"],
  ["a cut text", cut.slice(0, -40), "is cut off", "write all of it again with `terraform state pull"],
  [
    "a text cut inside a value",
    cut.slice(0, cut.indexOf(canary) + 9),
    "is cut off",
    "write all of it again with `terraform state pull",
  ],
  [
    "a text cut after an opening brace",
    "{",
    "is cut off",
    "write all of it again with `terraform state pull",
  ],
  ["a configuration", 'resource "qovery_job" "a" {}', "is not JSON", "terraform state pull"],
  ["a secret alone", canary, "is not JSON", "terraform state pull"],
  ["YAML", "kind: Job", "is not JSON", "terraform state pull"],
  [
    "a comma too many",
    '{\n  "version": 4,\n}',
    "is not valid JSON at line 3, column 1",
    "terraform state pull",
  ],
  [
    "a zip, such as a plan",
    Buffer.from("504b0304ff00fe", "hex"),
    "is not a text in UTF-8",
    "terraform state pull",
  ],
  [
    "UTF-16, from PowerShell",
    Buffer.from(`\uFEFF${cut}`, "utf16le"),
    "is not a text in UTF-8",
    "terraform state pull",
  ],
  ["too many bytes", undefined, "is larger than 256 MiB", "terraform state mv"],
  ["a list", "[]", "not a state of Terraform", "terraform show -json"],
  ["a text in JSON", `"${canary}"`, "not a state of Terraform", "terraform show -json"],
  ["null", "null", "not a state of Terraform", "terraform show -json"],
  ["any object", '{"name":"shop"}', "not a state of Terraform", "terraform show -json"],
  ["version 3", '{"version":3,"modules":[]}', "version is not 4", "-refresh-only"],
  ["version 5", '{"version":5}', "version is not 4", "terraform state pull"],
  ["version 1e999", '{"version":1e999}', "version is not 4", "terraform state pull"],
  ["version as a text", '{"version":"4"}', "version is not 4", "terraform state pull"],
  ["a backend", '{"version":3,"backend":{"type":"s3"}}', "names the backend", "terraform state pull"],
  ["format 0.2", '{"format_version":"0.2"}', "format_version is not 1.x", "Terraform 1.1"],
  ["format 2.0", '{"format_version":"2.0"}', "format_version is not 1.x", "Terraform 1.1"],
  ["format 10", '{"format_version":"10"}', "format_version is not 1.x", "Terraform 1.1"],
  ["a plan", '{"format_version":"1.2","planned_values":{}}', "is a plan", "terraform show -json"],
  [
    "an encrypted state",
    '{"meta":{},"encrypted_data":"x","encryption_version":"v0"}',
    "is encrypted",
    "tofu show -json",
  ],
  [
    "resources that are no list",
    '{"version":4,"resources":{}}',
    "resources: is not a list",
    "write the state again",
  ],
  [
    "a resource that is none",
    '{"version":4,"resources":[7]}',
    "resources[0]: is not an object",
    "write the state again",
  ],
  [
    "no type",
    '{"version":4,"resources":[{"name":"a"}]}',
    "resources[0]: has no type",
    "write the state again",
  ],
  [
    "no mode",
    '{"version":4,"resources":[{"type":"a","name":"a"}]}',
    "resources[0]: has a mode",
    "write the state again",
  ],
  [
    "no instances",
    '{"version":4,"resources":[{"type":"qovery_job","name":"a","mode":"managed"}]}',
    "resources[0].instances: is not a list",
    "write the state again",
  ],
  [
    "an instance that is none",
    '{"version":4,"resources":[{"type":"qovery_job","name":"a","mode":"managed","instances":[null]}]}',
    "resources[0].instances[0]: is not an object",
    "write the state again",
  ],
  [
    "attributes that are a list",
    '{"version":4,"resources":[{"type":"qovery_job","name":"a","mode":"managed","instances":[{"attributes":[]}]}]}',
    "resources[0].instances[0].attributes: is not an object",
    "write the state again",
  ],
  [
    "a key that is an object",
    '{"version":4,"resources":[{"type":"qovery_job","name":"a","mode":"managed","instances":[{"index_key":{}}]}]}',
    "resources[0].instances[0].index_key: is neither",
    "write the state again",
  ],
  [
    "values that are a list",
    '{"format_version":"1.0","values":[]}',
    "values: is not an object",
    "write the state again",
  ],
  [
    "a module that is none",
    '{"format_version":"1.0","values":{"root_module":{"child_modules":[7]}}}',
    "values.root_module.child_modules[0]: is not an object",
    "write the state again",
  ],
  [
    "shown resources that are no list",
    '{"format_version":"1.0","values":{"root_module":{"resources":{}}}}',
    "values.root_module.resources: is not a list",
    "write the state again",
  ],
  [
    "shown values that are none",
    '{"format_version":"1.0","values":{"root_module":{"resources":[{"type":"qovery_job","name":"a","mode":"managed","values":7}]}}}',
    "values.root_module.resources[0].values: is not an object",
    "write the state again",
  ],
  [
    "a shown key that is a list",
    '{"format_version":"1.0","values":{"root_module":{"resources":[{"type":"qovery_job","name":"a","mode":"managed","index":[]}]}}}',
    "values.root_module.resources[0].index: is neither",
    "write the state again",
  ],
];

test.each(refused)("%s is refused, with what, where and what to do", (_name, text, message, advice) => {
  try {
    read(text);
    expect.unreachable();
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    const [problem] = error.problems;
    expect(problem?.message).toContain("terraform.tfstate");
    expect(problem?.message).toContain(message);
    expect(problem?.advice).toContain(advice);
    expect(JSON.stringify(error.problems)).not.toContain(canary.slice(0, 6));
  }
});

test("all mistakes are reported, up to a hundred", () => {
  const text = JSON.stringify({ version: 4, resources: Array.from({ length: 250 }, () => 7) });
  try {
    read(text);
    expect.unreachable();
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    expect(error.problems).toHaveLength(maximumProblems + 1);
    expect(error.problems.at(-1)?.message).toBe("and 150 more in terraform.tfstate");
  }
});
