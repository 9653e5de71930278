import { expect, test } from "vitest";
import { isSoak } from "../fixtures/fault-kinds.ts";
import { KillStage, pointsOf, type Start } from "./reconciler-kills.ts";

test.each<[Start, string]>([
  ["first", "for the first time"],
  ["next", "after an applied commit"],
])(
  "a service that starts %s and is killed at a request or a call of git is mended by the next start",
  async (start) => {
    using stage = new KillStage();
    const points = pointsOf(await stage.extent(start));
    let kills = 0;
    // A stride that reaches each moment.
    const some = points.filter((_, index) => isSoak || index % 76 === (start === "first" ? 5 : 11));
    for (const point of some) {
      try {
        if (await stage.kill(start, point)) kills += 1;
      } catch (error) {
        throw new Error(`killed at ${JSON.stringify(point)}: ${String(error)}`, { cause: error });
      }
    }
    console.log(`kills of the service (${start}): ${kills} of ${points.length} points`);
    // How often a service looks depends on time, so one may be over before the last points.
    expect(kills).toBeGreaterThan(0);
  },
);
