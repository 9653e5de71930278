import { isDone, isRefused, resourceIn, unexpected } from "../answers.ts";
import { isGone, markLabels, type Stage } from "../stage.ts";
import { NotKnown } from "../not-known.ts";
import { asAssumed, differs, type AssumptionCase } from "../assumption-case.ts";
import { lengthOf, seconds, until } from "../wait.ts";
import { createJob, has, jobBody, jobsPath, readServices } from "./services.ts";

/** How often a case reads while a clone or a deletion is in progress: for two minutes. */
const readings = 8;

/** Cases about what a server does after it has answered. */
export const operationCases: readonly AssumptionCase[] = [
  {
    name: "clones-appear",
    assumption: "A clone is answered with 202, and can be read within `clone_timeout` (5 minutes).",
    reason: "A run waits for it, and then writes the overrides.",
    otherwise:
      "The action ends as `pending`, and the next run continues with the clone; or set a longer `clone_timeout`.",
    requests: 10,
    needs: "environment",
    async check(stage) {
      const { id } = await createJob(stage, "source");
      const answer = await clone(stage, id, "clone");
      const copy = resourceIn(answer).id;
      const seen = await waitFor(stage, copy);
      if (!seen) return differs(`the clone could not be read within ${seconds(lengthOf(readings))}`);
      return answer.status === 202
        ? asAssumed(`the clone could be read after ${seconds(seen.after)}`)
        : differs(`the answer has the status ${answer.status}`);
    },
  },
  {
    name: "clones-reserve-their-names",
    assumption: "The name of a clone is taken from its request on.",
    reason: "Two runs at once cannot create two resources with that name.",
    otherwise:
      "Two runs at once can create two resources with one name; every plan then shows both ids, and changes neither.",
    requests: 11,
    needs: "environment",
    async check(stage) {
      const { id } = await createJob(stage, "reserving");
      const copy = resourceIn(await clone(stage, id, "reserved")).id;
      const other = await stage.server.send("POST", jobsPath(stage), jobBody(stage, "reserved"));
      await waitFor(stage, copy);
      if (isDone(other)) return differs("the server created another one");
      if (!isRefused(other)) throw unexpected(other);
      return asAssumed(`a creation under that name was refused with ${other.status}`);
    },
  },
  {
    name: "busy-resources-answer-409",
    assumption: "A clone of a resource that is being cloned is refused with 409.",
    reason:
      "A run takes the 409 for another operation in progress, waits, looks, and sends the request again.",
    otherwise: "Nothing has to be done: the clones run side by side.",
    requests: 12,
    needs: "environment",
    async check(stage) {
      const { id } = await createJob(stage, "busy");
      const copy = resourceIn(await clone(stage, id, "busy-1")).id;
      const second = await clone(stage, id, "busy-2");
      const first = await stage.server.get(`/job/${copy}`);
      await waitFor(stage, copy);
      if (second.status === 409) return asAssumed("the second clone was refused with 409");
      if (!isDone(second)) throw unexpected(second);
      if (isDone(first)) throw new NotKnown("the first clone was complete before the second was requested");
      return differs("the server accepted both");
    },
  },
  {
    name: "used-resources-stay",
    assumption: "A labels group that a service uses is not deleted: the request is refused with 409.",
    reason: "A run can leave it to the server that nothing loses what it uses.",
    otherwise:
      "A deletion takes the group from the services of others too: protect it. A refusal with another status than 409 is an error of the run all the same.",
    requests: 3,
    needs: "environment",
    async check(stage) {
      const { server, organizationId, name } = stage;
      const path = `/organization/${organizationId}/labelsGroups`;
      const { id } = resourceIn(await server.send("POST", path, { name, labels: markLabels }));
      await createJob(stage, "labelled", { labels_groups: [{ id }] });
      const deleted = await server.send("DELETE", `${path}/${id}`);
      if (isDone(deleted)) return differs("the server deleted it");
      if (deleted.status === 409) return asAssumed("the deletion was refused with 409");
      if (!isRefused(deleted)) throw unexpected(deleted);
      const { status } = deleted;
      return differs(`the deletion was refused with ${status}`);
    },
  },
  {
    name: "deletions-end",
    assumption: "A deleted resource is gone from its list, and by its id, within 5 minutes.",
    reason: "A replacement waits for that before it creates the resource again.",
    otherwise: "The action ends as `pending`, and the next run continues.",
    requests: 19,
    needs: "environment",
    async check(stage) {
      const { id } = await createJob(stage, "deleted");
      const deleted = await stage.server.send("DELETE", `/job/${id}`);
      if (!isDone(deleted)) throw unexpected(deleted);
      const seen = await until(stage.server, readings, async () => {
        if (has(await readServices(stage), id)) return undefined;
        return isGone(await stage.server.get(`/job/${id}`)) || undefined;
      });
      return seen
        ? asAssumed(`it was gone after ${seconds(seen.after)}`)
        : differs(`it was still there after ${seconds(lengthOf(readings))}`);
    },
  },
  {
    name: "events-tell-changes",
    assumption: "The events of the organization name each change within 30 seconds.",
    reason: "What earlier runs have read counts as long as no event names a change.",
    otherwise: "Use `--fresh`, so that runs read everything.",
    requests: 8,
    needs: "environment",
    async check(stage) {
      const { server, organizationId } = stage;
      const { id } = await createJob(stage, "told");
      const path = `/organization/${organizationId}/events?targetId=${id}&pageSize=10`;
      const seen = await until(server, 7, async () => {
        const page = await server.get(path);
        if (!isDone(page)) throw unexpected(page);
        return JSON.stringify(page.answer).includes(id) && hasEvents(page.answer) ? true : undefined;
      });
      const limit = lengthOf(6);
      if (!seen) return differs(`no event within ${seconds(lengthOf(7))}`);
      const words = `the event was there after ${seconds(seen.after)}`;
      return seen.after <= limit ? asAssumed(words) : differs(words);
    },
  },
];

function hasEvents(answer: unknown): boolean {
  const events = (answer as { events?: unknown } | null)?.events;
  return Array.isArray(events) && events.length > 0;
}

function clone({ server, environmentId }: Stage, id: string, name: string) {
  return server.send("POST", `/job/${id}/clone`, { name, environment_id: environmentId });
}

/** Waits until a clone can be read, so that the next case finds nothing in progress. */
function waitFor({ server }: Stage, id: string) {
  return until(server, readings, async () => isDone(await server.get(`/job/${id}`)) || undefined);
}
