import { expect, test } from "vitest";
import type { Fields } from "../../../../core/values/json.ts";
import { summary } from "../../../fixtures/harness.ts";
import { useHarness } from "../../../fixtures/use-harness.ts";

const grace = "grace@acme.example";
const owner = { kind: "Member", name: "ada@acme.example", role: "Owner" };
const invited = { kind: "Member", name: grace, role: "Read" };

const harness = useHarness();

const path = (list: string) => `/organization/${harness.organization.id}/${list}`;
const emails = async (list: string) => (await harness.results(path(list))).map(({ email }) => email);
const requests = async () =>
  (await harness.seen()).map(({ method, path: its }) => `${method} ${its.split("/")[3] ?? ""}`).toSorted();

async function accept(): Promise<void> {
  const [invitation] = await harness.results(path("inviteMember"));
  await harness.api("POST", `${path("inviteMember")}/${String(invitation?.["id"])}`);
}

const problemsOf = async (documents: Fields[], goal: "reconcile" | "destroy" = "reconcile") =>
  (await harness.plan(documents, {}, goal)).problems.map(({ code, message }) => `${code}: ${message}`);

test("a member is invited by one request, and the second plan is empty, before and after the person accepts", async () => {
  await harness.forgetRequests();
  await harness.reconcile([invited]);
  expect(await requests()).toEqual([
    "GET availableRole",
    "GET events",
    "GET inviteMember",
    "GET member",
    "POST inviteMember",
  ]);
  expect(await emails("inviteMember")).toEqual([grace]);
  expect(summary(await harness.plan([invited]))).toEqual([]);
  await accept();
  expect(await emails("member")).toContain(grace);
  expect(summary(await harness.plan([{ ...invited, name: "Grace@ACME.example" }]))).toEqual([]);
});

test("a member gets another role, also one that the same run makes", async () => {
  await harness.reconcile([invited]);
  await accept();
  const role = { kind: "CustomRole", name: "deployers" };
  const changed = [{ ...invited, role: "deployers" }, role];
  expect(summary(await harness.reconcile(changed))).toEqual([
    "create customrole:deployers",
    expect.stringContaining(`update member:${grace}: role`),
  ]);
  expect(summary(await harness.plan(changed))).toEqual([]);
  expect(await problemsOf([role], "destroy")).toEqual([
    `in_use: customrole:deployers cannot be deleted: member:${grace} refers to it`,
  ]);
});

test("the role of an invitation is not changed: the message says what to do", async () => {
  await harness.reconcile([invited]);
  expect(await problemsOf([{ ...invited, role: "Admin" }])).toEqual([
    `impossible: Member ${grace}: the role of an invitation cannot be changed before it is accepted; delete the invitation, and invite the person again`,
  ]);
});

test("destroy takes invitations back, and removes members", async () => {
  await harness.reconcile([invited]);
  const back = await harness.apply(await harness.plan([invited], {}, "destroy"));
  expect(back.outcomes.map(({ status }) => status)).toEqual(["done"]);
  expect(await emails("inviteMember")).toEqual([]);
  await harness.reconcile([invited]);
  await accept();
  const removed = await harness.apply(await harness.plan([invited], {}, "destroy"));
  expect(removed.outcomes.map(({ status }) => status)).toEqual(["done"]);
  expect(await emails("member")).toEqual([owner.name]);
});

test.each([
  ["destroy", [owner], "destroy" as const, "be deleted"],
  ["another role", [{ ...owner, role: "Admin" }], "reconcile" as const, "be changed so"],
])("the last owner stays: %s", async (_name, documents, goal, fate) => {
  await harness.reconcile([{ ...invited, role: "Owner" }]);
  // An invitation to be an owner does not count.
  const refused = [`in_use: member:${owner.name} cannot ${fate}: it is the last owner of the organization`];
  expect(await problemsOf(documents, goal)).toEqual(refused);
  await accept();
  expect(await problemsOf(documents, goal)).toEqual([]);
  expect(await problemsOf([...documents, { ...invited, role: "Admin" }], goal)).toEqual(
    expect.arrayContaining(refused),
  );
});

test.each(["grace", "grace@", "@acme.example", "a b@acme.example"])("%s is not an e-mail address", (name) => {
  expect(() => harness.plan([{ ...invited, name }])).toThrow("is not an e-mail address");
});
