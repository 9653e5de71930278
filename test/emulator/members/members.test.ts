import { expect, test } from "vitest";
import { startWorld, unknownId } from "../start-world.ts";
import type { TestWorld } from "../start-world.ts";

const aDay = 24 * 3600_000;

async function roleNamed({ client, organizationPath }: TestWorld, name: string): Promise<string> {
  const roles = await client.list(`${organizationPath}/availableRole`);
  return roles.find((role) => role["name"] === name)?.id ?? "";
}

test("an organization starts with its owner, whose address the account has", async () => {
  const { client, organizationPath } = await startWorld();
  const account = await client.get("/account");
  expect(await client.list(`${organizationPath}/member`)).toMatchObject([
    { id: account.id, email: account["communication_email"], role: "OWNER", role_name: "Owner" },
  ]);
  const edited = await client.put("/account", { communication_email: "new@example.com" });
  expect(edited).toMatchObject({ id: account.id, communication_email: "new@example.com" });
  expect((await client.fails("PUT", "/account", { communication_email: "nobody" })).status).toBe(400);
  const other = await client.post("/organization", { name: "other", plan: "FREE" });
  expect(await client.list(`/organization/${other.id}/member`)).toMatchObject([{ id: account.id }]);
});

test("an invitation becomes a member with its role when it is accepted, and not before", async () => {
  const world = await startWorld();
  const { client, organizationPath } = world;
  const invited = await client.post(`${organizationPath}/inviteMember`, {
    email: "Grace@example.com",
    role: "DEVELOPER",
  });
  expect(invited).toMatchObject({
    email: "Grace@example.com",
    role: "DEVELOPER",
    role_name: "Write",
    invitation_status: "PENDING",
    organization_name: "acme",
  });
  expect(await client.list(`${organizationPath}/member`)).toHaveLength(1);
  const accepted = await client.call("POST", `${organizationPath}/inviteMember/${invited.id}`);
  expect(accepted.status).toBe(201);
  expect(await client.list(`${organizationPath}/inviteMember`)).toEqual([]);
  expect((await client.list(`${organizationPath}/member`))[1]).toMatchObject({
    email: "Grace@example.com",
    role: "DEVELOPER",
    role_id: await roleNamed(world, "Write"),
  });
});

test("an address is invited once, and not if it is a member", async () => {
  const { client, organizationPath } = await startWorld();
  const path = `${organizationPath}/inviteMember`;
  const { id } = await client.post(path, { email: "grace@example.com" });
  expect((await client.fails("POST", path, { email: "GRACE@example.com" })).status).toBe(409);
  await client.post(`${path}/${id}`);
  expect(await client.fails("POST", path, { email: "Grace@Example.com" })).toMatchObject({
    status: 409,
    message: "email: Grace@Example.com is a member already",
  });
  expect((await client.fails("POST", path, { email: "grace" })).message).toContain("email ");
  const unknown = await client.fails("POST", path, { email: "a@example.com", role_id: unknownId });
  expect(unknown.message).toContain("role_id: ");
});

test("an invitation expires after seven days, and can be withdrawn", async () => {
  const { client, organizationPath, advance } = await startWorld();
  const path = `${organizationPath}/inviteMember`;
  const { id } = await client.post(path, { email: "grace@example.com" });
  await advance(7 * aDay);
  expect(await client.get(`${path}/${id}`)).toMatchObject({ invitation_status: "PENDING" });
  await advance(1000);
  expect(await client.get(`${path}/${id}`)).toMatchObject({ invitation_status: "EXPIRED" });
  expect((await client.fails("POST", `${path}/${id}`)).status).toBe(409);
  await client.delete(`${path}/${id}`);
  expect((await client.fails("GET", `${path}/${id}`)).status).toBe(404);
  expect(await client.list(`${organizationPath}/member`)).toHaveLength(1);
});

test("the only owner stays an owner and a member", async () => {
  const world = await startWorld();
  const { client, organizationPath } = world;
  const path = `${organizationPath}/member`;
  const [owner] = await client.list(path);
  const [ownerRole, readRole] = [await roleNamed(world, "Owner"), await roleNamed(world, "Read")];
  const refused = {
    status: 409,
    message: "ada@acme.example is the only owner of the organization; make another member an owner first",
  };
  expect(await client.fails("PUT", path, { user_id: owner?.id, role_id: readRole })).toEqual(refused);
  expect(await client.fails("DELETE", path, { user_id: owner?.id })).toEqual(refused);

  const { id } = await client.post(`${organizationPath}/inviteMember`, { email: "grace@example.com" });
  await client.post(`${organizationPath}/inviteMember/${id}`);
  const second = (await client.list(path))[1]?.id;
  await client.put(path, { user_id: second, role_id: ownerRole });
  await client.put(path, { user_id: owner?.id, role_id: readRole });
  await client.ok("DELETE", path, { user_id: owner?.id });
  expect(await client.list(path)).toMatchObject([{ id: second, role: "OWNER" }]);
  expect((await client.fails("DELETE", path, { user_id: unknownId })).status).toBe(404);
});

test("a custom role that a member or an invitation has is not deleted", async () => {
  const { client, organizationPath } = await startWorld();
  const { id } = await client.post(`${organizationPath}/customRole`, { name: "team" });
  const invitation = await client.post(`${organizationPath}/inviteMember`, {
    email: "grace@example.com",
    role_id: id,
  });
  expect(invitation).toMatchObject({ role_id: id, role_name: "team" });
  const role = `${organizationPath}/customRole/${id}`;
  expect((await client.fails("DELETE", role)).message).toBe(
    "team is used by invitation of grace@example.com",
  );
  await client.post(`${organizationPath}/inviteMember/${invitation.id}`);
  expect((await client.fails("DELETE", role)).message).toBe("team is used by member grace@example.com");
});
