import { expect, test } from "vitest";
import { useStaging } from "./staging.ts";

const staging = useStaging();
const { pass } = staging;

test("the organization is taken over, changed, and left as it is by a deletion", async () => {
  const { server } = staging;
  const acme = await (await pass()).create("Organization", { name: "ACME", description: "makes everything" });
  expect(acme).toMatchObject({ id: server.organization.id, outputs: { description: "makes everything" } });
  const inputs = { name: "acme", description: "makes more" };
  expect(await (await pass()).up(acme, inputs)).toMatchObject({ step: "update" });
  await server.forgetRequests();
  await (await pass()).remove(acme);
  expect(await server.seen()).toEqual([]);
});

test("another name than that of the organization is refused, and creates nothing", async () => {
  await staging.server.forgetRequests();
  await expect((await pass()).create("Organization", { name: "acne" })).rejects.toThrow(
    "there is no Organization of that name, and infrasync creates none; this run works in acme; write that name, and run `pulumi up` with another name to rename it",
  );
  expect(await staging.server.writes()).toEqual([]);
});
