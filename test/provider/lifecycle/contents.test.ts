import { describe, expect, test } from "vitest";
import { useStaging } from "./staging.ts";

const staging = useStaging();
const { pass, nightly } = staging;

const deletions = async () => (await staging.server.writes()).filter(({ method }) => method === "DELETE");

/** A job in the environment that the program does not know. */
const foreign = async () => (await pass()).create("Job", nightly());

describe("an environment that still contains something", () => {
  test("is not deleted; the message lists what is inside", async () => {
    await foreign();
    await staging.server.forgetRequests();
    await expect((await pass()).remove(staging.environment)).rejects.toThrow(
      "Environment shop/staging: it contains 1 resource that would be deleted with it: nightly; delete them, or move them away, or to delete all of it, set `deleteContents: true`, run `pulumi up`, and delete it then",
    );
    expect(await deletions()).toEqual([]);
    expect((await staging.server.seen()).filter(({ method }) => method === "GET")).toHaveLength(2);
  });

  test("is not replaced", async () => {
    await foreign();
    const next = await pass();
    next.diff(staging.environment, { ...staging.environment.inputs, cluster: "us-east" });
    await staging.server.forgetRequests();
    await expect(next.remove(staging.environment)).rejects.toThrow(
      "it contains 1 resource that would be deleted with it: nightly",
    );
    expect(await deletions()).toEqual([]);
  });

  test("is deleted where an earlier `pulumi up` has set deleteContents, which changes nothing else", async () => {
    await foreign();
    const next = await pass();
    const news = { ...staging.environment.inputs, deleteContents: true };
    expect(next.diff(staging.environment, news)).toMatchObject({ changes: true, replaces: [] });
    await staging.server.forgetRequests();
    const agreed = await next.update(staging.environment, news);
    expect(await staging.server.writes()).toEqual([]);
    expect((await pass()).diff(agreed, news)).toMatchObject({ changes: false });
    await (await pass()).remove(agreed);
    expect(await (await pass()).refresh(staging.environment)).toBeUndefined();
  });

  test("is not deleted when deleteContents has been taken back", async () => {
    await foreign();
    const agreed = await (
      await pass()
    ).update(staging.environment, { ...staging.environment.inputs, deleteContents: true });
    const { deleteContents: _taken, ...news } = agreed.inputs;
    expect((await pass()).diff(agreed, news)).toMatchObject({ changes: true, replaces: [] });
    const refused = await (await pass()).update(agreed, news);
    await expect((await pass()).remove(refused)).rejects.toThrow("it contains 1 resource");
  });

  test("is replaced where the same `pulumi up` sets deleteContents", async () => {
    await foreign();
    const next = await pass();
    next.diff(staging.environment, {
      ...staging.environment.inputs,
      cluster: "us-east",
      deleteContents: true,
    });
    await next.remove(staging.environment);
    expect(await (await pass()).refresh(staging.environment)).toBeUndefined();
  });
});

test("a project that still contains an environment is not deleted", async () => {
  const entry = await (await pass()).create("Project", { name: "shop", adopt: true });
  await staging.server.forgetRequests();
  await expect((await pass()).remove(entry)).rejects.toThrow(
    "Project shop: it contains 1 resource that would be deleted with it: staging; delete them first",
  );
  expect(await deletions()).toEqual([]);
});

test("an environment is deleted when Pulumi has deleted its contents, although it has default stages", async () => {
  const job = await foreign();
  const next = await pass();
  await next.remove(job);
  await next.remove(staging.environment);
  expect(await (await pass()).refresh(staging.environment)).toBeUndefined();
});

test("deleteContents is no input of a kind that contains nothing", async () => {
  await expect((await pass()).create("Job", { ...nightly(), deleteContents: true })).rejects.toThrow(
    "deleteContents",
  );
});

describe("a database with a backup", () => {
  const database = () => ({
    environment: staging.environment.id,
    name: "orders",
    type: "POSTGRESQL",
    version: "16",
    mode: "CONTAINER",
  });

  test("is not deleted while the program does not say so", async () => {
    const orders = await (await pass()).create("Database", database());
    const backup = await (await pass()).create("Backup", { database: orders.id, name: "before" });
    await expect((await pass()).remove(orders)).rejects.toThrow(
      "backup:shop/staging/orders/before would be deleted with database:shop/staging/orders, which cannot be restored; delete it first, or, to delete all of it, set `deleteContents: true`",
    );
    await (await pass()).remove(backup);
    await (await pass()).remove(orders);
    expect(await (await pass()).refresh(orders)).toBeUndefined();
  });

  test("keeps it: another message is refused, because the backup would be another one", async () => {
    const orders = await (await pass()).create("Database", database());
    const inputs = { database: orders.id, name: "before", message: "one" };
    const backup = await (await pass()).create("Backup", inputs);
    expect((await pass()).diff(backup, inputs)).toMatchObject({ changes: false });
    const next = await pass();
    expect(() => next.diff(backup, { ...inputs, message: "two" })).toThrow(
      "a new backup would contain other data",
    );
  });
});
