import { beforeAll, expect, onTestFinished, test, vi } from "vitest";
import {
  type Client,
  createClient,
  formatAddress,
  LiveStore,
  type Policy,
  type RunSettings,
  startRun,
} from "../../../../core/index.ts";
import type { Goal } from "../../../../core/planning/plan/index.ts";
import {
  approve,
  type RunResult,
  execute,
  propose,
  type Proposal,
  type Run,
  type Approver,
} from "../../../../core/execution/session/index.ts";
import { desiredOf } from "../../../fixtures/desired.ts";
import { Harness } from "../../../fixtures/harness.ts";
import { job, shop } from "../../../fixtures/manifests.ts";
import { openPolicy } from "../../../fixtures/policy.ts";

let server: Harness;
beforeAll(async () => {
  server = await Harness.start();
  return () => server[Symbol.asyncDispose]();
});

/** Carries out a proposal, if it is approved. */
async function enact(proposal: Proposal, run: Run, terms: Approver): Promise<RunResult> {
  const approval = await approve(proposal, run, terms);
  return approval.type === "approved"
    ? { type: "applied", report: await execute(approval.approved, run, { parallelism: 1 }) }
    : approval;
}

/** A cycle, and what it is expected to do. */
interface Case {
  documents: string;
  goal?: Goal;
  policy?: Partial<Policy>;
  run?: RunSettings;
  terms?: Partial<Approver>;
  ends: Partial<RunResult> | object;
  /** The methods of the writes that the server has received. */
  writes?: string[];
  /** How often somebody was asked to agree. */
  requested?: number;
}

const live = shop + job("a") + job("b");
const pruning = shop.replace("mode: STAGING", "mode: STAGING\nmanage: { prune: true }");
const withSecret = (source: string) => job("a", `secrets: { PASSWORD: ${source} }`);
const aborted = AbortSignal.abort("SIGTERM");

const cases: Record<string, Case> = {
  "documents that nothing can be made of are refused": {
    documents: live + job("c", "", "shop/nowhere"),
    ends: { type: "refused", code: "invalid_input", problems: [{ code: "missing_parent" }] },
  },
  "live state that is as declared is left alone, and nobody is asked": {
    documents: live,
    ends: { type: "unchanged" },
  },
  "a plan that deletes more than its cap allows is refused": {
    documents: pruning + job("a"),
    policy: { prune: true, caps: { count: 0, percent: 100 } },
    ends: { type: "refused", code: "not_approved", problems: [{ code: "too_many", blocks: "apply" }] },
  },
  "a plan that lacks an approval is refused": {
    documents: shop + job("b", "manage: { protect: true }") + job("a"),
    goal: "destroy",
    ends: { type: "refused", code: "not_approved", problems: [{ code: "protected", blocks: "apply" }] },
  },
  "a plan whose secret cannot be read is refused": {
    documents: shop + withSecret("{ from_env: NOWHERE }") + job("b"),
    ends: {
      type: "refused",
      code: "invalid_input",
      problems: [{ code: "secret", address: "job:shop/staging/a" }],
    },
  },
  "a missing secret is reported together with a missing approval": {
    documents: pruning + withSecret("{ from_env: NOWHERE }"),
    policy: { prune: true, caps: { count: 0, percent: 100 } },
    ends: { type: "refused", code: "invalid_input", problems: [{ code: "secret" }, { code: "too_many" }] },
  },
  "a secret comes from the sources of the run": {
    documents: shop + withSecret("{ from_env: PASSWORD }") + job("b"),
    run: { secrets: { environment: { PASSWORD: "correct horse" }, allowCommands: false } },
    ends: { type: "applied" },
    writes: ["POST"],
    requested: 1,
  },
  "changes that nobody agrees to are not made": {
    documents: live + job("c"),
    terms: { confirm: () => Promise.resolve(false) },
    ends: { type: "declined" },
    requested: 1,
  },
  "changes that are agreed to are made": {
    documents: live + job("c"),
    ends: { type: "applied", report: { outcomes: expect.anything() } },
    writes: ["POST"],
    requested: 1,
  },
  "a plan that needs more requests than the run may send is not begun": {
    documents: live + job("c"),
    run: { maxRequests: 4 },
    ends: { type: "unaffordable", requests: 1, shortage: { by: "cap", cap: 4, left: 0 } },
  },
  "the requests that the caller sends afterwards count": {
    documents: live + job("c"),
    run: { maxRequests: 7 },
    terms: { requestsAfter: 2 },
    ends: { type: "unaffordable", requests: 3, shortage: { by: "cap", cap: 7, left: 2 } },
  },
};

test.each(Object.entries(cases))("%s", async (_name, given) => {
  await server.api("POST", "/_emulator/reset");
  await server.reconcile(live);
  const { resources } = desiredOf(given.documents);
  const run = startRun(server.client, given.run);
  await server.forgetRequests();
  const policy = { ...openPolicy, ...given.policy };
  const proposal = await propose(run, server.organization, given.goal ?? "reconcile", resources, policy);
  expect(await server.writes()).toEqual([]);
  const terms: Approver = { confirm: () => Promise.resolve(true), onQuota: "fail", ...given.terms };
  const confirm = vi.spyOn(terms, "confirm");
  expect(await enact(proposal, run, terms)).toMatchObject(given.ends);
  expect((await server.writes()).map(({ method }) => method)).toEqual(given.writes ?? []);
  expect(confirm).toHaveBeenCalledTimes(given.requested ?? 0);
  expect(run.client.spent.total).toBe((await server.seen()).length);
});

test("a signal that comes before the first write ends the run without one, whatever the answer", async () => {
  await server.api("POST", "/_emulator/reset");
  const { resources } = desiredOf(shop);
  const run = startRun(server.client);
  const proposal = await propose(run, server.organization, "reconcile", resources, openPolicy);
  await server.forgetRequests();
  const confirm = () => Promise.resolve(true);
  const ending = await enact(proposal, { ...run, signal: aborted }, { confirm, onQuota: "fail" });
  expect(ending).toEqual({ type: "interrupted" });
  expect(await server.writes()).toEqual([]);
});

test("a run that the quota stops reports what is done, and the next cycle does the rest", async () => {
  const scarce = await Harness.start({ behaviour: { rate_limit: 11, rate_window_s: 3600 } });
  onTestFinished(() => scarce[Symbol.asyncDispose]());
  const { organization } = scarce;
  const { resources } = desiredOf(shop + ["a", "b", "c", "d", "e"].map((name) => job(name)).join(""));
  const cycle = async (client: Client, onQuota: "wait" | "fail") => {
    const run = startRun(client);
    const proposal = await propose(run, organization, "reconcile", resources, openPolicy);
    const confirm = vi.fn<Approver["confirm"]>().mockResolvedValue(true);
    const ending = await enact(proposal, run, { confirm, onQuota });
    return { confirm, ending };
  };
  const refused = await cycle(scarce.client, "fail");
  expect(refused.ending).toMatchObject({ type: "unaffordable", shortage: { by: "quota" } });
  expect(refused.confirm).not.toHaveBeenCalled();

  // Who says that the run waits is told for what. This client does not wait, so the quota stops the run.
  const stopped = await cycle(scarce.client, "wait");
  expect(stopped.confirm).toHaveBeenCalledWith(expect.objectContaining({ by: "quota" }));
  expect(stopped.ending).toMatchObject({ type: "applied", report: { stopped: { reason: "quota" } } });

  const { url, tokens } = scarce.emulator;
  const later = async (token: string) =>
    (await cycle(createClient({ baseUrl: url, token, onQuota: "fail" }), "fail")).ending;
  expect(await later(tokens.write)).toMatchObject({
    type: "applied",
    report: { outcomes: expect.anything() },
  });
  expect(await later(tokens.read)).toEqual({ type: "unchanged" });
});

test("two cycles with one client and one store count their own requests", async () => {
  await server.api("POST", "/_emulator/reset");
  const store = new LiveStore();
  const spent = async (documents: string) => {
    const run = startRun(server.client, { live: store });
    const { resources } = desiredOf(documents);
    const proposal = await propose(run, server.organization, "reconcile", resources, openPolicy);
    const planning = run.client.spent.total;
    const ending = await enact(proposal, run, { confirm: () => Promise.resolve(true), onQuota: "fail" });
    const changed =
      ending.type === "applied"
        ? ending.report.outcomes
            .filter(({ type }) => type !== "none")
            .map(({ address }) => formatAddress(address))
        : [];
    return { planning, expected: proposal.cost, total: run.client.spent.total, changed };
  };
  expect(await spent(shop + job("a"))).toEqual({
    planning: 4,
    expected: { planning: 4, applying: 3 },
    total: 7,
    changed: ["project:shop", "environment:shop/staging", "job:shop/staging/a"],
  });
  expect(await spent(shop + job("a"))).toMatchObject({ planning: 0, total: 0, changed: [] });
  expect(await spent(shop + job("a", "cpu: 750"))).toMatchObject({
    expected: { planning: 0, applying: 2 },
    total: 2,
    changed: ["job:shop/staging/a"],
  });
});
