import { expect, test } from "vitest";
import { chosenFrontEnds } from "./front-ends.ts";
import { firstJob, nothing, start } from "./shop.ts";

test.for(chosenFrontEnds)(
  "$name: a preview reports mistakes in inputs, and looks up what they name, and an output is unknown until its resource exists",
  async (frontEnd, context) => {
    const use = `
    new Job("second", {
      environment: staging.id, name: "second",
      source: {
        image: {
          registry: first.source.apply((source) => source?.image?.registry?.id ?? ""),
          imageName: "acme/report", tag: first.source.apply((source) => source?.image?.tag ?? ""),
        },
      },
      schedule: { onStart: {} },
    });
    new Environment("production", {
      project: shop.id, name: staging.cluster.apply((cluster) => cluster?.name?.toUpperCase() ?? ""),
    });
    export const tag = first.source.image?.apply((image) => image?.tag);
  `;
    const mistaken = firstJob("1", use).replace("onStart: {}", 'onStrat: {}, cronjob: "0 3 * * *"');
    const { stack, server } = await start(context, mistaken, {}, frontEnd);
    const { exitCode: refusal, errors: mistakes } = await stack.preview();
    expect(refusal).not.toBe(0);
    expect(mistakes.join("\n")).toMatch(/Job resource 'first'.* has (?:a problem|2 problems|problems)/);
    expect(mistakes.join("\n")).toContain('schedule has no member "onStrat"; did you mean onStart');
    expect(mistakes.join("\n")).toContain("schedule.cronjob must be");
    // Only what the Environment names is looked up: its cluster.
    expect(await server.seenInOrganization()).toEqual(["GET cluster"]);

    await stack.rewrite(firstJob("1", use));
    expect(await stack.preview()).toMatchObject({ exitCode: 0, errors: [] });
    expect(await stack.up()).toMatchObject({ exitCode: 0, errors: [] });
    const live = await server.everything();
    expect(live.get("shop/staging/JOB second")).toBeDefined();
    expect(await stack.preview()).toMatchObject(nothing);
    await stack.rewrite(firstJob("2", use));
    expect(await stack.preview()).toMatchObject({ exitCode: 0, errors: [] });
    const { errors, exitCode, steps } = await stack.up();
    expect({ errors, exitCode }).toEqual({ errors: [], exitCode: 0 });
    expect(steps.toSorted()).toEqual(["update Job first", "update Job second"]);
  },
);
