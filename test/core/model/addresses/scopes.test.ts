import { expect, test } from "vitest";
import { type AnyAddress, formatAddress } from "../../../../core/model/addresses/address.ts";
import { kindOf } from "../../../../core/model/kinds/index.ts";
import { StepBudget, verdictsOn } from "../../../../core/rules/policies/index.ts";
import type { Problem } from "../../../../core/problems/problem.ts";
import { readEnvironments } from "../../../../core/manifests/settings/environments.ts";
import { readSettingsText } from "../../../../core/manifests/settings/file.ts";
import { protectIn, readProtect } from "../../../../core/manifests/settings/patterns.ts";
import { readPolicies } from "../../../../core/manifests/settings/policies.ts";
import { parseScope, readEnvironmentScope } from "../../../../core/model/addresses/scope.ts";
import { routed } from "../../../../reconciler/notify/sender.ts";
import { commitBeyond, may } from "../../../../reconciler/people/index.ts";
import { isPausedBy, readPolicy, environmentOf, suspendedAt } from "../../../../reconciler/policy/index.ts";

const at = (slug: string, ...names: string[]): AnyAddress => ({ kind: kindOf(slug), names });
const resources = [
  at("project", "shop"),
  at("environment", "shop", "staging"),
  at("database", "shop", "staging", "orders"),
  at("environment", "shop", "production"),
  at("job", "shop", "production", "migrate"),
  at("environment", "other", "production"),
  at("cluster", "main"),
];
const [staging, production, other] = [[1, 2], [3, 4], [5]];
const shop = [0, ...staging, ...production];

/** What is written, and all that it covers: a parent covers what is in it, in whatever case it is written. */
const scopes: Record<string, readonly number[]> = {
  "shop/staging": staging,
  "Shop/STAGING": staging,
  "shop/staging/**": staging,
  "shop/*": [...staging, ...production],
  "*/production": [...production, ...other],
  shop,
  "shop/**": shop,
  "**": resources.map((_, index) => index),
};

async function section(text: string, member: string) {
  const { members, problems } = await readSettingsText(text, "settings.yaml");
  const placed = members.get(member);
  if (!placed || problems.length > 0) throw new Error(`no ${member}: ${JSON.stringify(problems)}`);
  return placed;
}

function without(problems: readonly Problem[]): void {
  expect(problems).toEqual([]);
}

function environments(text: string) {
  const scope = readEnvironmentScope(text);
  if (!("matches" in scope)) throw new Error(scope.message);
  return [scope];
}

const [now, until] = [1_700_000_000_000, 1_800_000_000_000];
const by = { id: "root", name: "root" };

/** The places where a scope is written, each with what it says about a resource. */
const places: Record<string, (scope: string) => Promise<(address: AnyAddress) => boolean>> = {
  async protect(scope) {
    const problems: Problem[] = [];
    const read = readProtect(await section(`protect: ["${scope}"]\n`, "protect"), problems);
    without(problems);
    return (address) => read.some((each) => each.matches(address));
  },
  async "environments.NAME.protect"(scope) {
    const text = `environments: { one: { sources: [one], protect: ["${scope}"] } }\n`;
    const declared = readEnvironments(await section(text, "environments"));
    const read = protectIn(declared.environments, declared.problems);
    without(declared.problems);
    return (address) => read.some((each) => each.matches(address));
  },
  "protect of a Pulumi stack and of a source": (scope) => {
    const read = parseScope(scope);
    return Promise.resolve((address) => read.matches(address));
  },
  async "environments of a policy"(scope) {
    const text = `policies: [{ name: a, message: b, environments: ["${scope}"], actions: [delete] }]\n`;
    const { policies, problems } = readPolicies(await section(text, "policies"));
    without(problems);
    return ({ kind: { slug }, ...address }) =>
      verdictsOn(
        policies,
        {
          slug,
          does: ["delete"],
          places: [{ kind: kindOf(slug), ...address }],
          changed: [],
          inputs: () => [],
        },
        new StepBudget(),
      ).length > 0;
  },
  "a suspension of the repository": (scope) => {
    const content = `environments: { "${scope}": { suspend: { until: 2027-01-01T00:00:00Z, reason: r } } }\n`;
    const { policy, problems } = readPolicy(Buffer.from(content), "infrasync.reconcile.yaml");
    without(problems);
    return Promise.resolve((address) => suspendedAt(address, policy, now) !== undefined);
  },
  "a pause": (scope) =>
    Promise.resolve((address) =>
      isPausedBy({ pattern: scope, until, reason: "r", by, at: now }, environmentOf(address).names, now),
    ),
  "the environments of a role": (scope) =>
    Promise.resolve((address) =>
      may(
        { grants: [{ role: "approve", environments: environments(scope) }] },
        "approve",
        environmentOf(address).names,
      ),
    ),
  "the limits of a repository": (scope) =>
    Promise.resolve((address) => {
      const policy = { defaults: {}, environments: [] };
      const resource = { address, manage: {}, position: () => undefined } as unknown as Parameters<
        typeof commitBeyond
      >[1]["resources"][number];
      return (
        commitBeyond({ environments: environments(scope) }, { resources: [resource], policy }).length === 0
      );
    }),
  "the environments of a route": (scope) =>
    Promise.resolve((address) => {
      const resource = formatAddress(address);
      const changes = [{ address: resource, action: "update" as const }];
      const environment = environmentOf(address).name;
      const entry = { type: "reverted" as const, id: 1, at: 0, commit: "1a2b3c4", environment, changes };
      return routed([entry], { environments: environments(scope) }).length > 0;
    }),
};

const table = Object.entries(places).flatMap(([place, read]) =>
  Object.entries(scopes).map(([scope, covered]) => [scope, place, covered, read] as const),
);

test.each(table)("%s in %s covers the same", async (scope, _place, covered, read) => {
  const covers = await read(scope);
  expect(resources.filter(covers).map(formatAddress)).toEqual(
    covered
      .toSorted((left, right) => left - right)
      .map((index) => formatAddress(resources[index] ?? at("job"))),
  );
});
