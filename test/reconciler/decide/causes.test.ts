import { describe, expect, test } from "vitest";
import type { Cause } from "../../../core/planning/plan/index.ts";
import { type OwnResources, withCauses } from "../../../reconciler/decide/index.ts";
import { digestsIn, documentDigests } from "../../../reconciler/view/index.ts";
import { desiredOf } from "../../fixtures/desired.ts";
import { job, shop } from "../../fixtures/manifests.ts";
import { World } from "../../core/planning/plan/world.ts";
import { settle, type World as Decided } from "./world.ts";

const environment = (name: string, more = "") =>
  `---\nkind: Environment\nproject: shop\nname: ${name}\nmode: STAGING\ncluster: eu-west\n${more}`;
const digests = (text: string) => documentDigests(desiredOf(text).resources);

describe("what of a commit changes the documents of a resource", () => {
  const before = shop + job("a", "cpu: 500") + job("b", "cpu: 500");
  test.each<[name: string, now: string, changed: string[]]>([
    ["a field of a job", shop + job("a", "cpu: 750") + job("b", "cpu: 500"), ["job:shop/staging/a"]],
    ["its order, and comments", `# a comment\n${shop}${job("b", "cpu: 500")}${job("a", "cpu: 500")}`, []],
    [
      "what manage says",
      before.replace(job("a", "cpu: 500"), job("a", "cpu: 500\nmanage: { protect: true }")),
      ["job:shop/staging/a"],
    ],
    ["a document that is gone", shop + job("a", "cpu: 500"), ["job:shop/staging/b"]],
    [
      "the new name of an environment: what is in it is the same",
      before
        .replace("name: staging", "name: live\nmanage: { renamed_from: staging }")
        .replaceAll("environment: shop/staging", "environment: shop/live"),
      ["environment:shop/live"],
    ],
  ])("%s", (_name, now, changed) => {
    const applied = digestsIn(digests(before));
    const next = digests(now);
    const keys = [...next.keys()].filter((key) => {
      const { digest, former = key } = next.get(key) ?? {};
      return (applied[key] ?? applied[former]) !== digest;
    });
    const gone = Object.keys(applied).filter(
      (key) => !next.has(key) && ![...next.values()].some(({ former }) => former === key),
    );
    expect([...keys, ...gone].toSorted()).toEqual(changed);
  });
});

describe("the cause of each action", () => {
  const production = environment("production", "manage: { prune: true }\n");
  const document = (name: string, cpu: number) => job(name, `cpu: ${cpu}`, "shop/production");
  const declared = shop + production + document("a", 500) + document("b", 500);
  const live = (cpu: number, ...names: readonly string[]) =>
    [
      "project:shop: {}\nenvironment:shop/staging: {}\nenvironment:shop/production: {}\n",
      ...names.map((name) => `job:shop/production/${name}: { cpu: ${cpu} }\n`),
    ].join("");
  const inventory: OwnResources = { "job:shop/production/mine": { address: "job:shop/production/mine" } };

  /** The causes of a plan of documents, where others were applied before. */
  function causes(before: string, now: string, there: string): Record<string, Cause | undefined> {
    const { actions } = World.of(there).plan(now, { prune: true });
    const compared = { before: digestsIn(digests(before)), inventory, now: digests(now) };
    const found = withCauses(actions, compared).filter(
      ({ address, type }) => type !== "none" && address.kind.name === "Job",
    );
    return Object.fromEntries(found.map(({ id, cause }) => [id, cause]));
  }

  test("a document that differs causes its action, and a removed one the deletion of what is its own", () => {
    const now = declared.replace(document("a", 500), document("a", 750));
    expect(causes(declared, now, live(500, "a", "b", "mine", "theirs"))).toEqual({
      "update job:shop/production/a": "commit",
      "delete job:shop/production/mine": "commit",
      "delete job:shop/production/theirs": "drift",
    });
  });

  test("what no document has changed is drift, in whatever way it differs", () => {
    expect(causes(declared, declared, live(750, "a"))).toEqual({
      "update job:shop/production/a": "drift",
      "create job:shop/production/b": "drift",
    });
  });
});

describe("cause x mode x freeze", () => {
  const ofCommit = "update job:shop/production/a";
  const ofDrift = "update job:shop/production/b";
  const deletion = "delete job:shop/production/b";
  const base: Decided = {
    plan: [ofCommit, ofDrift],
    drift: [ofDrift, deletion],
    operator: { onDrift: "apply" },
  };
  const rules = (text: string) => `environments: { shop/production: { ${text} } }`;
  const suspended = "suspend: { until: 2027-01-01T00:00:00Z, reason: an audit }";
  test.each<[rule: string, more: Partial<Decided>, sent: string[], state: string]>([
    ["on_commit: apply, on_drift: apply", {}, [ofCommit, ofDrift], "synced"],
    ["on_commit: apply, on_drift: report", {}, [ofCommit], "drift"],
    ["on_commit: apply, on_drift: off", {}, [ofCommit], "unwatched"],
    ["on_commit: report, on_drift: apply", {}, [ofDrift], "waiting"],
    ["on_commit: report, on_drift: report", {}, [], "drift"],
    ["on_commit: off, on_drift: apply", {}, [ofDrift], "unwatched"],
    ["on_commit: off, on_drift: off", {}, [], "unwatched"],
    [suspended, {}, [], "drift"],
    ['windows: [{ allow: "0 20 * * *", duration: 1h }]', {}, [], "drift"],
    ["promote: { after: shop/staging, healthy_for: 10m }", {}, [ofDrift], "waiting"],
    ["on_drift: apply", { mistakes: true }, [ofDrift], "waiting"],
    ["on_drift: apply", { isAway: true }, [ofDrift], "waiting"],
    ["on_drift: apply", { atWork: ["shop/production"] }, [], "drift"],
    ["on_drift: apply", { fought: ["job:shop/production/b"] }, [ofCommit], "drift_loop"],
    ["on_drift: apply", { unconsented: ["job:shop/production/b"] }, [ofCommit], "blocked"],
    ["on_drift: apply", { unconsented: ["job:shop/production/a"] }, [ofDrift], "blocked"],
    ["on_drift: apply", { plan: [ofCommit, deletion], dropped: true }, [deletion], "held"],
    ["on_drift: report", { plan: [ofCommit, deletion] }, [ofCommit], "drift"],
    ["on_drift: report", { requested: { "shop/production": "sync" } }, [ofCommit, ofDrift], "synced"],
    ["on_drift: report", { requested: { "shop/production": "approve" } }, [ofCommit, ofDrift], "synced"],
    ["on_drift: report", { requested: { "shop/production": "approve another" } }, [ofCommit], "drift"],
    [
      "on_drift: report",
      {
        plan: ["create job:shop/production/a", "create environment:shop/production"],
        drift: ["create environment:shop/production"],
        needs: { "create job:shop/production/a": "create environment:shop/production" },
      },
      [],
      "drift",
    ],
    [
      "on_drift: report",
      {
        plan: [ofCommit, "update environment:shop/production"],
        drift: ["update environment:shop/production"],
        needs: { [ofCommit]: "update environment:shop/production" },
      },
      [ofCommit],
      "drift",
    ],
    [
      "on_commit: report",
      {
        plan: [ofDrift, "update environment:shop/production"],
        needs: { [ofDrift]: "update environment:shop/production" },
      },
      [ofDrift],
      "waiting",
    ],
  ])("%s, %j", (rule, more, sent, state) => {
    const found = settle({ ...base, policy: rules(rule), ...more });
    expect(found.sent.toSorted()).toEqual(sent.toSorted());
    expect(found.states["shop/production"]).toBe(state);
    expect(found.undone.map(({ id }) => id)).toEqual(
      found.sent.filter((id) => (more.drift ?? base.drift)?.includes(id)),
    );
  });

  test("an environment with both kinds tells them apart, and says why the commit waits", () => {
    const { environmentStates = [] } = settle({
      ...base,
      policy: rules("on_commit: report, on_drift: report"),
    });
    expect(environmentStates.find(({ environment: name }) => name === "shop/production")).toMatchObject({
      state: "drift",
      reason: "the commit waits: on_commit: report",
      changes: [
        { address: "job:shop/production/b", cause: "drift" },
        { address: "job:shop/production/a", cause: "commit" },
      ],
    });
  });
});
