import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, describe, test } from "vitest";
import { isFields, type Json } from "../../../core/values/json.ts";
import { kindOf, kinds } from "../../../core/model/kinds/index.ts";
import { toCamel } from "../../../provider/lifecycle/casing.ts";
import type { Properties } from "../../../provider/lifecycle/inputs.ts";
import { programResources } from "../../../provider/lifecycle/program-resources.ts";
import { nameIn } from "../../../core/state/live/index.ts";
import { Harness } from "../../fixtures/harness.ts";
import { quickClock } from "../../fixtures/quick-clock.ts";
import { consents, documents, everything } from "../plugin/every-kind.ts";
import { Stack } from "./stack.ts";
import { removeFolder } from "../../fixtures/remove-folder.ts";

/*
 * Every resource of the schema has to stand what a program can do to it without asking for a loss, and what a server does.
 */

let server: Harness;
let cache: string;
/** The resources of `everything` that contain others, by their paths. */
let holders: Awaited<ReturnType<Harness["everything"]>>;

beforeAll(async () => {
  server = await Harness.start();
  await server.reconcile(documents, consents);
  holders = await server.everything();
  cache = await mkdtemp(join(tmpdir(), "infrasync-contract-"));
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await removeFolder(cache);
});
beforeEach(() => server.api("DELETE", "/_emulator/faults"));

/** A resource under attack. */
interface Row {
  /** Its inputs, with a name or a key of its own. */
  inputs(name: string): Properties;
  /** The input that somebody else would spell with other letters. */
  spelled: string;
  /** What lists it, by the names of all that it lists. */
  list(): Promise<string[]>;
  /** Where its creation is sent, and where it is listed. */
  post: string;
  listed: string;
  /** Why an attack is none. */
  not?: Partial<Record<keyof typeof attacks, string>>;
}

/** The id of a resource of `everything`; of the organization if there is none above. */
function holderId(path: string): string {
  const [, , database] = path.split("/");
  const key = database === undefined ? path : path.replace(/[^/]+$/, `DATABASE ${database}`);
  return path === "" ? server.organization.id : String(holders.get(key)?.["id"]);
}

function rowOf([name, path, document]: (typeof everything)[number]): Row {
  const kind = kindOf(name);
  const { parent, parentMember } = kind;
  const parentPath = path.split("/").slice(0, -1).join("/");
  return {
    inputs: (own) => {
      const { name: _name, [parentMember ?? ""]: _parent, ...fields } = document;
      const declared = JSON.parse(
        JSON.stringify(fields).replaceAll('{"from_env":"SHOP_FIRST"}', '{"value":"s3cret"}'),
      ) as Json;
      const camel = toCamel(kind.fields, declared);
      return {
        ...(isFields(camel) && camel),
        name: kind.names?.format === "email" ? `${own}@acme.example` : own,
        ...(parent && parentMember !== undefined && { [parentMember]: holderId(parentPath) }),
      };
    },
    spelled: "name",
    list: async () => {
      const answers = await server.results(kind.listing.path(holderId(parentPath)));
      return answers.map((answer) => String(nameIn(kind, answer)));
    },
    post: kind.requests.create("*").split("?")[0] ?? "",
    listed: kind.listing.path("*").split("?")[0] ?? "",
  };
}

/** Why an attack on some kinds is none. */
const reasons: Record<string, Pick<Row, "not">> = {
  Cluster: {
    not: {
      kills:
        "the platform chooses what a program leaves out, so nobody can tell it from the cluster of another",
    },
  },
  ApiToken: {
    not: {
      "rename with adopt": "nobody knows the value of a token that was taken over, so it is not deleted",
      kills: "nobody knows the value of a token whose creation was not answered, so it is not taken over",
    },
  },
};

const rows: Record<string, Row> = Object.fromEntries(
  everything.map((each) => [each[0], { ...rowOf(each), ...reasons[each[0]] }]),
);

const kindIn = (title: string) => title.split(" ")[0] ?? "";

/** Resources that the server does not keep. */
const normalized: Record<string, string> = {
  Deployment: "the server keeps nothing of a deployment that could be lost",
  Organization: "it is there from the start, and stays",
};

test("each resource of the schema has a row", () => {
  expect([...new Set(Object.keys(rows).map(kindIn)), "Deployment"].toSorted()).toEqual(
    [...kinds, ...programResources].map(({ name }) => name).toSorted(),
  );
});

const once = (fault: object) => server.api("POST", "/_emulator/faults", [{ times: 1, ...fault }]);

interface Attacked {
  stack: Stack;
  kind: string;
  inputs: Properties;
  row: Row;
  /** What is listed, and was listed with and without the resource. */
  live(): Promise<string[]>;
  whole: string[];
  before: string[];
}

const attacks = {
  async "rename with adopt"({ stack, kind, inputs, whole, live }: Attacked) {
    const renamed = { second: { kind, inputs: { ...inputs, adopt: true } } };
    await stack.up(renamed);
    expect(await live()).toEqual(whole);
    expect(await stack.up(renamed)).toEqual([]);
  },
  async "rename without adopt"({ stack, kind, inputs, whole, live }: Attacked) {
    await expect(stack.up({ second: { kind, inputs } })).rejects.toThrow(/already|`adopt: true`/);
    expect(await live()).toEqual(whole);
  },
  async "two of one"({ stack, kind, inputs, whole, live }: Attacked) {
    const first = { kind, inputs };
    const ways: Properties[] = [{}, { adopt: true }];
    for (const more of ways)
      await expect(stack.up({ first, second: { kind, inputs: { ...inputs, ...more } } })).rejects.toThrow(
        /of this program|another resource/,
      );
    // A state of an earlier version may have both.
    const entry = stack.state.get("first");
    if (entry) stack.state.set("second", entry);
    await stack.up({ first });
    expect(await live()).toEqual(whole);
    expect([...stack.state.keys()]).toEqual(["first"]);
  },
  async kills({ stack, kind, inputs, whole, live }: Attacked) {
    await stack.up({});
    const killed = stack.with(new Map());
    await killed.up({ first: { kind, inputs } });
    await expect(stack.with(new Map()).up({ other: { kind, inputs } })).rejects.toThrow(/already/);
    await stack.up({ first: { kind, inputs } });
    expect(await live()).toEqual(whole);
  },
  async "404 once in a refresh"({ stack, kind, inputs, whole, live }: Attacked) {
    for (let after = 0; after < 2; after += 1) {
      await once({ method: "GET", status: 404, after });
      // An error is an answer too.
      await stack.refresh().catch(() => {});
      await server.api("DELETE", "/_emulator/faults");
      expect([...stack.state.keys()]).toEqual(["first"]);
    }
    await stack.up({ first: { kind, inputs } });
    expect(await live()).toEqual(whole);
  },
  async "404 once in a deletion"({ stack, before, live }: Attacked) {
    await once({ method: "GET", status: 404 });
    await stack.up({}).catch(() => stack.up({}));
    expect(await live()).toEqual(before);
  },
  async "an empty list in a refresh"({ stack, kind, inputs, whole, live }: Attacked) {
    for (let after = 0; after < 2; after += 1) {
      await once({ method: "GET", status: 200, body: { results: [] }, after });
      await stack.refresh().catch(() => {});
      await server.api("DELETE", "/_emulator/faults");
      expect([...stack.state.keys()]).toEqual(["first"]);
    }
    await stack.up({ first: { kind, inputs } });
    expect(await live()).toEqual(whole);
  },
  async "an empty list in a deletion"({ stack, row, before, live }: Attacked) {
    await once({ method: "GET", path: row.listed, status: 200, body: { results: [] } });
    await stack.up({}).catch(() => stack.up({}));
    expect(await live()).toEqual(before);
  },
  async "a lost answer"({ stack, kind, inputs, row, whole, before, live }: Attacked) {
    await once({ method: "DELETE", drop: "after" });
    await stack.up({});
    expect(await live()).toEqual(before);
    await once({ method: "POST", path: row.post, drop: "after" });
    const again = async () => stack.up({ first: { kind, inputs } });
    await again().catch(again);
    expect(await live()).toEqual(whole);
    expect(await again()).toEqual([]);
  },
  async respelling({ stack, kind, inputs, row, whole, live }: Attacked) {
    const respelled = { ...inputs, [row.spelled]: String(inputs[row.spelled]).toUpperCase() };
    expect(await stack.up({ first: { kind, inputs: respelled } })).toEqual([]);
    expect(await stack.up({ first: { kind, inputs } })).toEqual([]);
    expect(await live()).toEqual(whole);
  },
  async "protection by its address"({ stack, whole, live }: Attacked) {
    await expect(stack.up({}, { "infrasync:protect": "**" })).rejects.toThrow(/protected by/);
    expect(await live()).toEqual(whole);
  },
};

/** A stack that may have infrastructure of a name. */
function stackOf(name: string): Stack {
  return new Stack(
    {
      "infrasync:baseUrl": server.emulator.url,
      "infrasync:token": server.emulator.tokens.admin,
      "infrasync:allowInfrastructure": name,
    },
    { INFRASYNC_CACHE: cache },
    quickClock(),
  );
}

describe.each(Object.entries(rows))("%s", (title, row) => {
  const kind = kindIn(title);
  const isKept = normalized[kind] === undefined;
  test.runIf(isKept).each(Object.keys(attacks) as (keyof typeof attacks)[])("%s", async (attack) => {
    if (row.not?.[attack] !== undefined) return;
    const name = `under-${attack.replaceAll(" ", "-").toLowerCase()}`;
    const stack = stackOf(name);
    const inputs = row.inputs(name);
    const live = async () => {
      await server.api("DELETE", "/_emulator/faults");
      return (await row.list()).toSorted();
    };
    const before = await live();
    await stack.up({ first: { kind, inputs } });
    await attacks[attack]({ stack, kind, inputs, row, live, whole: await live(), before });
    await live();
    await stack.up({});
    expect(await live()).toEqual(before);
  });
});
