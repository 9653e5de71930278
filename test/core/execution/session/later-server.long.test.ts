import { text as textOf } from "node:stream/consumers";
import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { type Fields, isFields } from "../../../../core/values/json.ts";
import type { Kind } from "../../../../core/model/kinds/index.ts";
import {
  documentOf,
  helmRepositories,
  holdersOf,
  nameFor,
  randomKinds,
  sample,
} from "../../../fixtures/every-kind.ts";
import { application } from "../../../fixtures/manifests.ts";
import { forward } from "../../../fixtures/forward.ts";
import { type Harness, summary } from "../../../fixtures/harness.ts";
import { serve } from "../../../fixtures/http-server.ts";
import { arbitraryFields } from "../../../fixtures/random-documents.ts";
import { useHarness } from "../../../fixtures/use-harness.ts";

// A later version of the server: each object of each answer has a member more, which a PUT without it resets.
const harness = useHarness({ seed: { helm_repositories: helmRepositories } });

/** The member of an object at a place; the same in all elements of a list. */
const later = (place: readonly string[]) => ["later", ...place].join(":");

let server: Harness;
/** What the answers to a path have shown last, and what a PUT to it has left out. */
const shown = new Map<string, Set<string>>();
let lost: string[] = [];
/** The bodies of all PUT. */
let puts: { path: string; body: unknown }[] = [];

beforeEach(async () => {
  const { url } = await serve(async (request, response) => {
    const { method = "", url: path = "", headers } = request;
    const sent = await textOf(request);
    const body: unknown = sent === "" ? undefined : JSON.parse(sent);
    if (method === "PUT") {
      puts.push({ path, body });
      const given = membersOf(body);
      lost.push(...[...(shown.get(path) ?? [])].filter((member) => !given.has(member)));
    }
    const { host: _host, "content-length": _length, connection: _connection, ...others } = headers;
    const answer = await forward(harness.emulator.url, {
      method,
      path,
      headers: others,
      body: body === undefined ? "" : JSON.stringify(body, (_member, value: unknown) => without(value)),
    });
    const {
      "content-length": _its,
      "transfer-encoding": _transfer,
      "content-encoding": _encoding,
      ...rest
    } = answer.headers;
    const content = answer.content.toString();
    const answered = content === "" ? undefined : withLater(JSON.parse(content), []);
    if (method === "GET") shown.set(path, membersOf(answered));
    response.writeHead(answer.status, rest).end(answered === undefined ? "" : JSON.stringify(answered));
  });
  server = harness.through(url);
});

/** The value, with a member more in each object. */
function withLater(value: unknown, place: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((each) => withLater(each, place));
  if (!isFields(value)) return value;
  const isPage = place.length === 0 && Array.isArray(value["results"]);
  const inside = Object.entries(value).map(([member, each]) => [
    member,
    withLater(each, isPage ? place : [...place, member]),
  ]);
  return { ...(Object.fromEntries(inside) as Fields), ...(!isPage && { [later(place)]: 7 }) };
}

function membersOf(value: unknown): Set<string> {
  if (Array.isArray(value)) return new Set(value.flatMap((each) => [...membersOf(each)]));
  if (!isFields(value)) return new Set();
  const own = Object.keys(value).filter((member) => member.startsWith("later"));
  return new Set([...own, ...Object.values(value).flatMap((each) => [...membersOf(each)])]);
}

/** Whether a member is that of an object which an answer shows of another resource. */
const isOfAnother = (member: string) =>
  /:(?:organization|project|environment|cloud_provider|registry|(?:annotations|labels)_groups)(?::|$)/.test(
    member,
  );

function without(value: unknown): unknown {
  if (!isFields(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([member]) => !member.startsWith("later")));
}

/** The document with one field more or another one, so that a plan updates the resource. */
async function oneChange(kind: Kind, document: Fields, holders: readonly Fields[]): Promise<Fields> {
  const named = kind.names?.immutable === undefined ? "without" : "with";
  const samples = fc.sample(arbitraryFields(kind, "partial", named, "without"), { numRuns: 24, seed: 7 });
  for (const [member, value] of samples.flatMap((fields) => Object.entries(fields))) {
    if (JSON.stringify(value) === JSON.stringify(document[member])) continue;
    const candidate = { ...document, [member]: value };
    if (summary(await server.plan([...holders, candidate])).some((each) => each.startsWith("update")))
      return candidate;
  }
  throw new Error(`no field of ${kind.name} changes alone`);
}

describe.each(
  randomKinds.filter(({ use, name }) => use !== "data" && name !== "Member" && name !== "ApiToken"),
)("$name", (kind) => {
  test.each([1, 2])(
    "a member that no schema knows is sent back at every depth, or the plan asks (%i)",
    async (seed) => {
      const holders = holdersOf(kind, seed);
      const document = documentOf(kind, nameFor(kind, "one"), sample(kind, seed));
      await server.reconcile([...holders, document]);
      const changed = await oneChange(kind, document, holders);
      lost = [];
      const plan = await server.plan([...holders, changed]);
      const requested = plan.problems.map(({ message }) => message).join("\n");
      if (requested !== "") expect(requested).toContain("later");
      else {
        // What a document declares as a whole, such as a map, is a change that the plan shows.
        const named = new Set(
          plan.actions.flatMap((action) =>
            action.type === "update"
              ? action.changes.flatMap(({ path, before }) => [path.at(-1) ?? "", ...membersOf(before)])
              : [],
          ),
        );
        await server.apply(plan);
        expect(lost.filter((member) => !isOfAnother(member) && !named.has(member))).toEqual([]);
      }
    },
  );
});

const shopOf = (rest: string) =>
  `kind: Project\nname: shop\n---\nkind: Environment\nproject: shop\nname: staging\nmode: STAGING\n${application("api", rest)}`;
const cluster = (rest: string) =>
  `kind: Cluster\nname: one\nregion: eu-west-3\ncloud_provider: AWS\n${rest}\n`;

test.each([
  ["a variable", shopOf("variables: { A: x }"), shopOf("variables: { A: y }")],
  [
    "the description of a variable",
    shopOf("variables: { A: x }"),
    shopOf("variables: { A: { value: x, description: y } }"),
  ],
  [
    "a mounted file",
    shopOf("variables: { A: { file: { mount_path: /a, text: x } } }"),
    shopOf("variables: { A: { file: { mount_path: /a, text: y } } }"),
  ],
  [
    "a secret",
    shopOf("secrets: { A: { from_env: SHOP_FIRST, version: '1' } }"),
    shopOf("secrets: { A: { from_env: SHOP_FIRST, version: '2' } }"),
  ],
  [
    "a custom domain",
    shopOf("custom_domains: { a.example.com: {} }"),
    shopOf("custom_domains: { a.example.com: { use_cdn: true } }"),
  ],
  ["the network", shopOf("network: { sticky_session: true }"), shopOf("network: { sticky_session: false }")],
  [
    "advanced settings",
    shopOf("advanced_settings: { build.timeout_max_sec: 5 }"),
    shopOf("advanced_settings: { build.timeout_max_sec: 6 }"),
  ],
  [
    "a routing table",
    cluster("routing_table: { 10.0.0.0/16: { target: a }, 10.1.0.0/16: { target: b } }"),
    cluster("routing_table: { 10.0.0.0/16: { target: c }, 10.1.0.0/16: { target: b } }"),
  ],
  [
    "a DNS provider",
    cluster(
      "dns_provider: { provider: CLOUDFLARE, domain: a.example.com, email: a@example.com, api_token: { from_env: SHOP_FIRST } }",
    ),
    cluster(
      "dns_provider: { provider: CLOUDFLARE, domain: a.example.com, email: b@example.com, api_token: { from_env: SHOP_FIRST } }",
    ),
  ],
])("a PUT of %s sends back the members that no schema knows", async (_what, before, after) => {
  await server.reconcile(before);
  const plan = await server.plan(after);
  puts = [];
  await server.apply(plan);
  const parts = puts.filter(
    ({ path }) => !/^\/(?:application|organization\/[^/]+\/cluster)\/[^/]+$/.test(path),
  );
  expect(parts.length).toBe(1);
  for (const { body } of parts) expect(JSON.stringify(body)).toContain('"later');
});
