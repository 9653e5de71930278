import { eventsOf, makingIn } from "../state/events/index.ts";
import type { LiveResource } from "../state/live/index.ts";
import { article, escapeControl, shorten } from "../values/text.ts";
import { outdated } from "./errors.ts";
import { lateness } from "./make.ts";
import type { Run } from "./run.ts";
import { pollDelay, until } from "./wait.ts";

/**
 * Refuses a clone that another run has requested: two runs must not write into one clone. The event of the clone names the
 * run; it may come late. One of an earlier run of the same program is continued, as that run was perhaps killed.
 * @throws OperationError `exists`
 */
export async function refuseClonesOfOthers(
  run: Run,
  { kind, id, name, parentId }: LiveResource,
  by?: "an earlier run",
): Promise<void> {
  const { client, live } = run;
  const organizationId = live.organizationOf(parentId);
  const making =
    organizationId === undefined
      ? "unreadable"
      : await until(run.clock, lateness, run.signal, async (attempt) => {
          if (attempt > 0) await run.clock.sleep(pollDelay(attempt), run.signal);
          const events = await eventsOf(client, organizationId, id);
          return events ? makingIn(events) : "unreadable";
        });
  const refuse = (why: string) => {
    throw outdated("exists", `${article(kind.name)} named "${name}" (${id}) stays unchanged: ${why}`);
  };
  if (making === "unreadable" || making?.program === undefined) {
    if (!run.leavesUnknown) return;
    refuse(
      making === "unreadable"
        ? "the events that say who has created it cannot be read"
        : "no event says who has created it; events may come late: try again in some minutes",
    );
  } else {
    const { signature, program, who } = making;
    if (signature === live.writes.signature || (by !== undefined && client.hasMade(making))) return;
    const maker = escapeControl(shorten(`${program}${who === undefined ? "" : `, by ${who}`}`, 250));
    refuse(`another run has created it: ${maker}`);
  }
}
