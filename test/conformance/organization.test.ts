import { expect, test } from "vitest";
import type { Fields } from "../../core/values/json.ts";
import { startProxy } from "./proxy.ts";
import { Harness, summary } from "../fixtures/harness.ts";
import { organizationPolicy, wholeOrganization } from "../fixtures/organization.ts";
import { allow } from "../fixtures/policy.ts";

/** Changes, each of which takes a request of another sort. */
const changes: Fields[] = [
  { kind: "ApiToken", name: "ci", role: "Read" },
  { kind: "Cluster", name: "paris", region: "eu-west-3", cloud_provider: "AWS", max_running_nodes: 4 },
  {
    kind: "Cluster",
    name: "paris",
    region: "eu-west-3",
    cloud_provider: "AWS",
    advanced_settings: { "load_balancer.size": null },
    routing_table: { "10.0.0.0/16": null },
  },
  {
    kind: "Cluster",
    name: "paris",
    region: "eu-west-3",
    cloud_provider: "AWS",
    dns_provider: {
      provider: "ROUTE53",
      domain: "acme.example",
      credentials: { aws_access_key_id: "A", aws_secret_access_key: { from_env: "SHOP_FIRST" } },
      aws_region: "eu-west-3",
    },
    argo_cd_mappings: { "https://west.acme.example": null },
  },
  {
    kind: "Cluster",
    name: "paris",
    region: "eu-west-3",
    cloud_provider: "AWS",
    argo_cd: { argocd_url: null },
  },
  { kind: "Member", name: "grace@acme.example", role: "Admin" },
];

test("the requests of a run for the organization match the shapes of the API", async () => {
  await using harness = await Harness.start();
  const proxy = await startProxy(harness.emulator.url);
  const checked = harness.through(proxy.url);
  await checked.reconcile(wholeOrganization, organizationPolicy);
  const invitations = `/organization/${harness.organization.id}/inviteMember`;
  const [invitation] = await harness.results(invitations);
  await harness.api("POST", `${invitations}/${String(invitation?.["id"])}`);
  for (const change of changes) {
    const plan = await checked.reconcile([change], { ...organizationPolicy, ...allow("**") });
    expect(summary(plan)).toHaveLength(1);
  }
  const going = await checked.plan(wholeOrganization, organizationPolicy, "destroy");
  expect(going.problems).toEqual([]);
  const { outcomes } = await checked.apply(going);
  expect(outcomes.filter(({ status }) => status !== "done")).toEqual([]);
  await proxy.stop();
  expect(proxy.findings.checked).toBeGreaterThan(40);
  expect(proxy.findings.violations).toEqual([]);
});
