import { expect, test } from "vitest";
import { chosenFrontEnds } from "./front-ends.ts";
import { program, stagingWithJobs, start } from "./shop.ts";

test.for(chosenFrontEnds)(
  "$name: protect, retainOnDelete, ignoreChanges while another field changes, aliases and deleteBeforeReplace work as in other providers",
  async (frontEnd, context) => {
    const { server, stack } = await start(
      context,
      program(`${stagingWithJobs}
      job("protected", {}, { protect: true });
      job("retained", {}, { retainOnDelete: true });
      job("ignoring", { cpu: 600 }, { ignoreChanges: ["cpu"] });
      job("old", { name: "renamed" });
      job("first", {}, { deleteBeforeReplace: false });
    `),
      {},
      frontEnd,
    );
    expect(await stack.up()).toMatchObject({ exitCode: 0, errors: [] });
    await server.reconcile([{ kind: "Job", environment: "shop/staging", name: "ignoring", cpu: 900 }]);
    await stack.refresh();
    const before = await server.everything();

    await stack.rewrite(
      program(`${stagingWithJobs}
      job("ignoring", { cpu: 650 }, { ignoreChanges: ["cpu"] });
      job("new", { name: "renamed" }, { aliases: [{ name: "old" }] });
      job("first", {}, { deleteBeforeReplace: false });
    `),
    );
    const { exitCode, errors, steps } = await stack.up("--continue-on-error");
    expect(exitCode).not.toBe(0);
    expect(errors.join("\n")).toContain("protect");
    expect(steps).not.toContain("update Job ignoring");
    expect(await server.everything()).toEqual(before);

    await stack.rewrite(
      program(`${stagingWithJobs}
      job("protected", {}, { protect: false });
      job("ignoring", { cpu: 650, memory: 1024 }, { ignoreChanges: ["cpu"] });
      job("new", { name: "renamed" }, { aliases: [{ name: "old" }] });
      const schedule = { cronjob: { scheduledAt: "0 3 * * *" } };
      job("first", { name: "second", schedule }, { deleteBeforeReplace: false });
    `),
    );
    const both = ["create-replacement Job first", "delete-replaced Job first"];
    const up = await stack.up();
    expect(up).toMatchObject({ exitCode: 0, errors: [] });
    expect(up.steps).toContain("update Job ignoring");
    // The project of the plugin disables automatic names; the engine then deletes first, whatever the program says.
    expect(up.steps.filter((step) => step !== "update Job ignoring")).toEqual(
      frontEnd.name === "plugin" ? both.toReversed() : both,
    );
    const after = await server.everything();
    expect(after.get("shop/staging/JOB second")).toMatchObject({ job_type: "CRON" });
    expect(after.get("shop/staging/JOB ignoring")).toMatchObject({ cpu: 900, memory: 1024 });
    for (const live of [before, after]) live.delete("shop/staging/JOB ignoring");
    before.delete("shop/staging/JOB first");
    after.delete("shop/staging/JOB second");
    expect(after).toEqual(before);
    const { resources } = await stack.export();
    expect(resources.map(({ urn }) => urn.split("::").at(-1)).toSorted()).toEqual([
      "first",
      "ignoring",
      "new",
      "protected",
      "shop",
      "staging",
    ]);
  },
);
