import { expect, test } from "vitest";
import { Client } from "../../fixtures/client.ts";
import { billingInfo } from "../every-organization-operation.ts";
import { startWorld } from "../start-world.ts";

const aDay = 24 * 3600_000;

test("billing information is empty at first; only an admin changes it, and all of it at once", async () => {
  const { client, emulator, organizationPath } = await startWorld();
  const path = `${organizationPath}/billingInfo`;
  expect(Object.values(await client.get(path)).every((value) => value === null)).toBe(true);
  await client.put(path, { ...billingInfo, company: "Acme", vat_number: "GB1" });
  expect(await client.get(path)).toMatchObject({ ...billingInfo, company: "Acme", state: null });
  expect(await client.put(path, billingInfo)).toMatchObject({ company: null, vat_number: null });
  expect((await client.fails("PUT", path, { ...billingInfo, email: "ada" })).message).toContain("email ");
  const writer = new Client(emulator.url, emulator.tokens.write);
  expect((await writer.call("PUT", path, billingInfo)).status).toBe(403);
  await client.put(organizationPath, { name: "renamed" });
  expect(await client.get(path)).toMatchObject(billingInfo);
});

test("the costs of an organization and of its clusters stay the same while their configuration does", async () => {
  const { client, emulator, organizationPath, advance } = await startWorld();
  const path = `${organizationPath}/cluster/${emulator.clusters[0]?.id}/currentCost`;
  const costs = async () => [await client.get(`${organizationPath}/currentCost`), await client.get(path)];
  const [organization, cluster] = await costs();
  expect(organization).toMatchObject({
    plan: "TEAM",
    cost: { total_in_cents: 9900, total: 99, currency_code: "USD" },
  });
  expect(cluster).toMatchObject({ total_in_cents: 26_800, min_cost: 268, max_cost: 723 });
  await advance(3600_000);
  const [later] = await costs();
  expect([later?.["cost"], (await costs())[1]]).toEqual([organization?.["cost"], cluster]);
});

test("a cluster costs from its fewest to its most nodes, and nothing while it is not deployed", async () => {
  const { client, organizationPath, advance } = await startWorld();
  const nodes = { min_running_nodes: 3, max_running_nodes: 10 };
  const body = { name: "big", region: "eu-west-3", cloud_provider: "AWS", disk_size: 100, ...nodes };
  const { id } = await client.post(`${organizationPath}/cluster`, body);
  const cost = async () => {
    const { min_cost_in_cents, max_cost_in_cents } = await client.get(
      `${organizationPath}/cluster/${id}/currentCost`,
    );
    return [min_cost_in_cents, max_cost_in_cents];
  };
  expect(await cost()).toEqual([0, 0]);
  await client.post(`${organizationPath}/cluster/${id}/deploy`);
  await advance(10_000);
  expect(await cost()).toEqual([7300 + 3 * 7100, 7300 + 10 * 7100]);
});

test("there is an invoice for each month, three of them before the organization", async () => {
  const { client, organizationPath, control, advance } = await startWorld();
  const invoices = async () => client.list(`${organizationPath}/invoice`);
  const first = await invoices();
  expect(first).toHaveLength(3);
  const { now } = await control.get<{ now: string }>("/_emulator/clock");
  const date = new Date(now);
  const nextMonth = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
  await advance(nextMonth - date.getTime());
  const [newest, ...rest] = await invoices();
  expect(newest).toMatchObject({
    created_at: new Date(nextMonth).toISOString(),
    status: "PENDING",
    total: 99,
  });
  expect(rest.map(({ id }) => id)).toEqual(first.map(({ id }) => id));
  await advance(15 * aDay);
  expect((await invoices())[0]).toMatchObject({ status: "PAID" });
  await advance(50 * 365 * aDay);
  expect(await invoices()).toHaveLength(36);
});
