import { expect, test } from "vitest";
import { useStaging } from "./staging.ts";

const staging = useStaging();
const ada = { name: "ada@acme.example", role: "Owner" };

test("the last owner of the organization keeps the role and is not removed", async () => {
  const pass = () => staging.pass();
  const owner = await (await pass()).create("Member", { ...ada, adopt: true });
  await staging.server.forgetRequests();
  await expect((await pass()).update(owner, { ...ada, role: "Read" })).rejects.toThrow(
    "member:ada@acme.example cannot be changed so: it is the last owner of the organization; make another member an owner first",
  );
  await expect((await pass()).remove(owner)).rejects.toThrow(
    "member:ada@acme.example cannot be deleted: it is the last owner of the organization",
  );
  expect(await staging.server.writes()).toEqual([]);
});

test("another role for an invitation is refused in the preview", async () => {
  const grace = await (await staging.pass()).create("Member", { name: "grace@acme.example", role: "Read" });
  const next = await staging.pass();
  expect(() => next.diff(grace, { name: "grace@acme.example", role: "Write" })).toThrow(
    "role: the role of an invitation cannot be changed before it is accepted",
  );
});

test("another member goes, and changes, with an owner left", async () => {
  const pass = () => staging.pass();
  const grace = await (await pass()).create("Member", { name: "grace@acme.example", role: "Read" });
  const path = `/organization/${staging.server.organization.id}/inviteMember`;
  const [invitation] = await staging.server.results(path);
  await staging.server.api("POST", `${path}/${String(invitation?.["id"])}`);
  // A member has another id than the invitation.
  const joined = await (await pass()).refresh(grace);
  if (!joined) throw new Error("the member is gone");
  expect(joined.id).not.toBe(grace.id);
  expect((await pass()).diff(joined, { name: "grace@acme.example", role: "Read" })).toMatchObject({
    changes: false,
  });
  const second = await (await pass()).update(joined, { name: "grace@acme.example", role: "Owner" });
  const owner = await (await pass()).create("Member", { ...ada, adopt: true });
  const viewer = await (await pass()).update(owner, { ...ada, role: "Read" });
  await (await pass()).remove(viewer);
  await expect((await pass()).remove(second)).rejects.toThrow("the last owner");
});

test("a person who has accepted since is removed, also where the state has the invitation", async () => {
  const pass = () => staging.pass();
  const grace = await (await pass()).create("Member", { name: "grace@acme.example", role: "Read" });
  const root = `/organization/${staging.server.organization.id}`;
  const [invitation] = await staging.server.results(`${root}/inviteMember`);
  await staging.server.api("POST", `${root}/inviteMember/${String(invitation?.["id"])}`);
  await (await pass()).remove(grace);
  const left = (await staging.server.results(`${root}/member`)).map(({ email }) => email);
  expect(left).toEqual(["ada@acme.example"]);
});
