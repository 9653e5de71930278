import fc from "fast-check";
import { expect, test } from "vitest";
import { dump, type SkippedItem } from "../../../../core/import/live/index.ts";
import { type Fields, isFields, type Json } from "../../../../core/values/json.ts";
import { formatManifest } from "../../../../core/manifests/manifest/index.ts";
import { SecretReader } from "../../../../core/secrets/index.ts";
import { propose } from "../../../../core/execution/session/index.ts";
import { desiredOf } from "../../../fixtures/desired.ts";
import { application, job, shop } from "../../../fixtures/documents.ts";
import { summary } from "../../../fixtures/harness.ts";
import { allow, openPolicy } from "../../../fixtures/policy.ts";
import { tries } from "../../../fixtures/random-cases.ts";
import { rawState } from "../../../fixtures/raw-state.ts";
import { useHarness } from "../../../fixtures/use-harness.ts";

const harness = useHarness();

const databases = ["orders", "users"];
const services = ["worker", "api"];

const database = (name: string): Fields => ({
  kind: "Database",
  environment: "shop/staging",
  name,
  type: "POSTGRESQL",
  version: "16",
  mode: "CONTAINER",
});

/** What a text can have of a live resource: of a database, or the id of a service. */
const mark = fc.oneof(
  fc.record({
    of: fc.constantFrom(...databases),
    what: fc.constantFrom("host", "port", "login", "password", "id"),
  }),
  fc.record({ of: fc.constantFrom(...services), what: fc.constant("id") }),
);

const piece = fc.oneof(
  mark.map(({ of, what }) => `<${of} ${what}>`),
  fc.constantFrom("jdbc:postgresql://", "postgres://", "https://", "/", ":", "@", "?user=", " "),
  fc.stringMatching(/^[a-z]{1,6}$/),
);

/** A text with marks, such as `postgres://@<orders login>@<orders host>`. A host begins a word. */
const text = fc
  .tuple(fc.constantFrom("/", ":", "@", " ", "-"), fc.array(piece, { minLength: 1, maxLength: 6 }))
  .map(([between, pieces]) => pieces.join(between).trim() || "x");

const variables = fc.dictionary(
  fc.constantFrom("DB_HOST", "DB_PORT", "PGPASS", "URL", "CALLS", "METRICS_PORT", "NAME", "USERS_HOST"),
  text,
  { maxKeys: 5 },
);

const organization = fc.record({
  environment: fc.record({ variables }),
  worker: fc.record({ variables, description: text }),
  api: fc.record({ variables, description: text, arguments: fc.array(text, { maxLength: 2 }) }),
});

interface Shop {
  environment: Fields;
  worker: Fields;
  api: Fields;
}

const documentsOf = ({ environment, worker, api }: Shop): Fields[] => [
  ...shop.map((each) => (each["kind"] === "Environment" ? { ...each, ...environment } : each)),
  ...databases.map(database),
  job("shop/staging/worker", worker),
  application("shop/staging/api", api),
];

/** What the server says of each resource that texts may have in them, by its mark. */
async function marks(): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const [path, { id }] of await harness.everything()) {
    const [, sort, name = ""] = /\/([A-Z]+) (\w+)$/.exec(path) ?? [];
    if (sort === undefined) continue;
    found.set(`<${name} id>`, String(id));
    if (sort !== "DATABASE") continue;
    const reported = await harness.api("GET", `/database/${String(id)}/masterCredentials`);
    for (const [member, value] of Object.entries(isFields(reported) ? reported : {}))
      found.set(`<${name} ${member}>`, String(value));
  }
  return found;
}

const filled = <Value extends Json>(value: Value, known: ReadonlyMap<string, string>) =>
  JSON.parse(JSON.stringify(value).replaceAll(/<\w+ \w+>/g, (each) => known.get(each) ?? each)) as Value;

/** The state of the server with the names of resources in the place of their ids, hosts and passwords. */
async function namedState(): Promise<Map<string, Json>> {
  const known = await marks();
  const parts = [...known].flatMap(([name, value]): [string, string][] =>
    name.endsWith(" id>")
      ? [
          [value, name],
          [value.slice(0, 8), name],
          [value.slice(0, 8).toUpperCase(), name],
        ]
      : name.endsWith(" password>")
        ? [[value, name]]
        : [],
  );
  return rawState(harness, (given) => parts.reduce((at, [from, to]) => at.replaceAll(from, to), given));
}

/** The state without what a dump has named: members of a resource, and entries by their keys. */
function withoutNamed(
  state: ReadonlyMap<string, Json>,
  leftOut: readonly SkippedItem[],
): Record<string, Json> {
  const named = leftOut.map(({ address, type }) => {
    const [, path = ""] = /^(?:the value of |secret )?(\S+) (?:of|in) /.exec(type) ?? [];
    const [member = "", key = member] = path.split(".");
    return { address, member, key };
  });
  return Object.fromEntries(
    [...state].map(([path, value]) => {
      const at = path.replace(/\/[A-Z]+ (\w+).*$/, "/$1").replace(/ .*$/, "");
      const its = named.filter(({ address }) => address === at);
      if (Array.isArray(value))
        return [
          path,
          value.filter((each) => !its.some(({ key }) => isFields(each) && each["key"] === key)).map(asRead),
        ];
      if (!isFields(value)) return [path, value];
      return [
        path,
        Object.fromEntries(
          Object.entries(value).filter(([member]) => !its.some((each) => each.member === member)),
        ),
      ];
    }),
  );
}

/** An entry as a program reads it: an alias of a variable has the value of that. */
function asRead(entry: Json): Json {
  if (!isFields(entry) || !isFields(entry["aliased_variable"])) return entry;
  const { aliased_variable: aliased, ...rest } = entry;
  return { ...rest, value: isFields(aliased) ? (aliased["value"] ?? null) : null, variable_type: "VALUE" };
}

/** Every environment variable is set. */
const anyValue = new Proxy({}, { get: () => "a value", has: () => true });

test("what is destroyed and made again from its dump is as it was, but for what the dump names", async () => {
  await fc.assert(
    fc.asyncProperty(organization, async (random) => {
      await harness.api("POST", "/_emulator/reset");
      await harness.reconcile(documentsOf({ environment: {}, worker: {}, api: {} }));
      await harness.reconcile(documentsOf(filled(random as never, await marks())));
      const before = await namedState();
      const { documents, leftOut } = await dump(harness.context(), harness.organization, undefined, {
        projectsOnly: true,
      });
      const manifests = documents.map((each) => formatManifest(each)).join("---\n");

      const destroy = await harness.plan(manifests, { prune: true, ...allow("**") }, "destroy");
      await harness.apply(destroy);
      expect([...(await harness.everything()).keys()]).toEqual([]);

      const secrets = new SecretReader({ environment: anyValue, allowCommands: false });
      const run = harness.context({ secrets });
      const { resources, problems } = desiredOf(manifests);
      expect(problems).toEqual([]);
      const { plan } = await propose(run, harness.organization, "reconcile", resources, openPolicy);
      const { outcomes } = await harness.apply(plan, { secrets });
      expect(outcomes.filter(({ status }) => status !== "done")).toEqual([]);
      expect(withoutNamed(await namedState(), leftOut)).toEqual(withoutNamed(before, leftOut));
      expect(summary(await harness.plan(manifests))).toEqual([]);
    }),
    { numRuns: tries(10) },
  );
});
