import { describe, expect, test } from "vitest";
import type { Fields } from "../../../../core/values/json.ts";
import {
  type PartChange,
  type PartEntry,
  partFaults,
  secrets,
  variables,
} from "../../../../core/model/parts/index.ts";

const part = variables("JOB");

/** Something that the job sees: its own, or what stands in a scope above. */
const entry = (key: string, response: Fields = {}, scope = "JOB"): PartEntry => {
  const whole = { id: `id-of-${key}`, key, value: "x", scope, ...response };
  return { part, key, isOwn: scope === "JOB", isReadable: true, response: whole };
};

const set = (key: string, desired: Fields | undefined): PartChange => ({ key, desired });

interface Row {
  name: string;
  changes: PartChange[];
  listed?: PartEntry[];
  next: string | undefined;
}

const rows: Row[] = [
  { name: "nothing", changes: [], next: undefined },
  { name: "one value", changes: [set("A", { value: "1" })], next: "POST /variable: A" },
  {
    name: "many new values at once, and only those that an import can carry",
    changes: [
      set("A", { value: "1" }),
      set("B", { value: "2", description: "b" }),
      set("C", { value: "3" }),
      set("D", { file: { mount_path: "/d", text: "d" } }),
    ],
    next: "POST /variable/import?service_id=job&service_type=JOB: A, C",
  },
  {
    name: "what is there is not imported over",
    changes: [set("A", { value: "1" }), set("B", { value: "2" })],
    listed: [entry("A")],
    next: "PUT /variable/id-of-A: A",
  },
  {
    name: "another sort of content is written anew, so that what names it stays",
    changes: [set("A", { file: { mount_path: "/a", text: "a" } })],
    listed: [entry("A")],
    next: "POST /variable: A",
  },
  {
    name: "an alias waits for what it names",
    changes: [set("A", { alias_of: "B" }), set("B", { value: "1" })],
    next: "POST /variable: B",
  },
  {
    name: "an alias of a variable in a scope above",
    changes: [set("A", { alias_of: "B" })],
    listed: [entry("B", {}, "PROJECT")],
    next: "POST /variable/id-of-B/alias: A",
  },
  { name: "an alias of what is not listed", changes: [set("A", { alias_of: "B" })], next: undefined },
  {
    name: "an override names that of the scope above, not its own",
    changes: [set("A", { value: "1", overrides: true })],
    listed: [entry("A", { id: "own" }), entry("A", { id: "above" }, "ENVIRONMENT")],
    next: "POST /variable/above/override: A",
  },
  {
    name: "removals come last",
    changes: [set("OLD", undefined), set("A", { value: "1" })],
    listed: [entry("OLD")],
    next: "POST /variable: A",
  },
  {
    name: "a removal",
    changes: [set("OLD", undefined)],
    listed: [entry("OLD")],
    next: "DELETE /variable/id-of-OLD: OLD",
  },
];

test.each(rows)("the next request: $name", ({ changes, listed = [], next }) => {
  const request = part.form?.nextRequest("job", changes, listed, "parent");
  expect(request && `${request.method} ${request.path}: ${request.keys.join(", ")}`).toBe(next);
});

describe("the list after a response", () => {
  const whole = (key: string, more: Fields = {}): Fields => ({
    id: `id-of-${key}`,
    created_at: "2026-01-01T00:00:00Z",
    key,
    value: "x",
    scope: "JOB",
    variable_type: "VALUE",
    is_secret: false,
    ...more,
  });
  const { created_at: _left, ...partial } = whole("A");
  const alias = whole("B", { aliased_variable: { id: "id-of-A", key: "A" } });
  const above = whole("A", { id: "above", scope: "ENVIRONMENT" });
  const after = (desired: Fields | undefined, listed: Fields[], answer: unknown) => {
    const entries = listed.map((response) =>
      entry(String(response["key"]), response, String(response["scope"])),
    );
    return part.form
      ?.nextRequest("job", [set("A", desired)], entries, "parent")
      ?.listedAfter?.(answer, listed);
  };
  const debug = whole("A", { value: "debug" });
  const desired = { value: "debug" };

  test.each<[string, Fields | undefined, Fields[], unknown, Fields[] | undefined]>([
    ["has the new variable", desired, [whole("C")], debug, [whole("C"), debug]],
    ["has the changed variable", desired, [whole("A"), whole("C")], debug, [whole("C"), debug]],
    ["lacks the removed variable", undefined, [whole("A"), whole("C")], {}, [whole("C")]],
    ["keeps what the variable hides in a scope above", desired, [whole("A"), above], debug, [above, debug]],
    ["is unknown if the response lacks a member", desired, [], partial, undefined],
    ["is unknown if the response is about another variable", desired, [], whole("B"), undefined],
    ["is unknown if the response is about another scope", desired, [], above, undefined],
    ["is unknown if the response is empty", desired, [], undefined, undefined],
    [
      "is unknown if another variable is an alias of the changed one",
      desired,
      [whole("A"), alias],
      debug,
      undefined,
    ],
    [
      "is unknown if another variable is an alias of the removed one",
      undefined,
      [whole("A"), alias],
      {},
      undefined,
    ],
    ["is unknown if the new variable may hide one of a scope above", desired, [above], debug, undefined],
    ["is unknown if the removed variable may have hidden one", undefined, [whole("A"), above], {}, undefined],
  ])("%s", (_what, declared, listed, answer, expected) => {
    expect(after(declared, listed, answer)).toEqual(expected);
  });
});

test("projects and environments have no import", () => {
  const changes = [set("A", { value: "1" }), set("B", { value: "2" })];
  expect(variables("PROJECT").form?.nextRequest("p", changes, [], "parent")?.path).toBe("/variable");
});

test("a built-in variable belongs to no resource", () => {
  expect(part.isOwn?.({ key: "HOST", scope: "BUILT_IN" }, "id", [], undefined)).toBe(false);
});

test("the body of a secret contains no value until it is sent", () => {
  const request = secrets("JOB").form?.nextRequest("job", [set("A", { from_env: "X" })], [], "parent");
  expect(request).toMatchObject({ secret: { from_env: "X" }, body: { key: "A", is_secret: true } });
  expect(request?.body).not.toHaveProperty("value");
});

test("mistakes that the document alone reveals", () => {
  const kind = { parts: [secrets("JOB"), part] };
  const declared = {
    variables: { A: { alias_of: "A" }, B: { alias_of: "C" }, C: { alias_of: "B" }, D: { value: "1" } },
    secrets: { D: { from_env: "X" }, E: null },
  };
  expect(partFaults(kind, declared).map(({ code, path }) => `${code} ${path.join(".")}`)).toEqual([
    "circle variables.A.alias_of",
    "circle variables.B.alias_of",
    "duplicate variables.D",
  ]);
});

test("a secret of a secret manager is a variable, also where the server says that it is secret", () => {
  const external = {
    key: "A",
    value: "prod/db",
    is_secret: true,
    scope: "JOB",
    secret_manager_access_id: "id",
  };
  expect([part.keyOf(external), secrets("JOB").keyOf(external)]).toEqual(["A", undefined]);
  expect(part.form?.declaredAs(external)).toEqual({
    external: { secret_manager: "id", reference: "prod/db" },
  });
});

test.each([
  [{ A: "B", B: "1" }, {}, ["impossible variables.A"]],
  [{ A: "B" }, { B: { from_env: "X" } }, ["impossible variables.A"]],
  [{ A: "B", B: null }, {}, []],
  [{ A: "A" }, {}, []],
  [{ A: "b", B: "1" }, {}, []],
])("a value that is the key of another is a mistake: %j %j", (values, ofSecrets, expected) => {
  const kind = { parts: [secrets("JOB"), part] };
  const entries = Object.entries(values).map(([key, value]) => [key, value === null ? null : { value }]);
  const declared = { variables: Object.fromEntries(entries) as Fields, secrets: ofSecrets as Fields };
  expect(partFaults(kind, declared).map(({ code, path }) => `${code} ${path.join(".")}`)).toEqual(expected);
});
