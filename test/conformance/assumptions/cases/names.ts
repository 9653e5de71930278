import { type Fields, isFields } from "../../../../core/values/json.ts";
import { isDone, isRefused, unexpected } from "../answers.ts";
import { asAssumed, differs, type CaseFinding, type AssumptionCase } from "../assumption-case.ts";
import type { Stage } from "../stage.ts";
import { createJob, jobBody, jobsPath } from "./services.ts";

/** Values that a server could store in another form: blanks, letters outside of ASCII, upper case, leading zeros, numbers that are not round. */
const kept = {
  name: "Kept-As-Is",
  description: " Two  spaces, ünïcode and an end ",
  cpu: 260,
  memory: 300,
  max_nb_restart: 3,
  max_duration_seconds: 61,
  image: { image_name: "library/busybox", tag: "01.36" },
  schedule: { cronjob: { scheduled_at: "5 03 * * 1-5", timezone: "Europe/Paris", arguments: ["a b"] } },
};

/** The members that a resource has otherwise than they were written, as sentences. */
function differencesIn(desired: unknown, there: unknown, path: string): string[] {
  if (!isFields(desired)) {
    const [before, after] = [JSON.stringify(desired), JSON.stringify(there)];
    return before === after ? [] : [`${path} ${before} became ${after}`];
  }
  return Object.entries(desired).flatMap(([member, value]) =>
    differencesIn(
      value,
      isFields(there) ? there[member] : undefined,
      path === "" ? member : `${path}.${member}`,
    ),
  );
}

/** Cases about names. */
export const nameCases: readonly AssumptionCase[] = [
  {
    name: "names-are-unique",
    assumption: "A second resource of the same kind, parent and name is refused with 409.",
    reason:
      "A run recognises a resource by its name, and takes the 409 for a name that somebody else has just taken.",
    otherwise:
      "Two runs at once can create two resources with one name; every plan then shows both ids, and changes neither. A refusal with another status than 409 is an error of the run.",
    requests: 2,
    needs: "environment",
    async check(stage) {
      await createJob(stage, "unique");
      const second = await createAgain(stage, "unique");
      if (isDone(second)) return differs("the server created a second one");
      if (second.status === 409) return asAssumed("the second creation was refused with 409");
      if (!isRefused(second)) throw unexpected(second);
      const { status } = second;
      return differs(`the second creation was refused with ${status}`);
    },
  },
  {
    name: "names-ignore-case",
    assumption: "Names that differ only in upper and lower case are the same name.",
    reason: "`Api` in a manifest and `api` on the server are one resource.",
    otherwise:
      "Two resources whose names differ only in case would count as two resources with the same name.",
    requests: 2,
    needs: "environment",
    async check(stage) {
      await createJob(stage, "case");
      const second = await createAgain(stage, "CASE");
      if (isDone(second)) return differs("the server created a second one");
      if (!isRefused(second)) throw unexpected(second);
      return asAssumed(`the second creation was refused with ${second.status}`);
    },
  },
  {
    name: "texts-are-kept",
    assumption: "A resource has its name, texts, numbers, image and schedule as they were written.",
    reason: "A field that the server changes differs from its manifest in every plan.",
    otherwise:
      "The report of a run names each value that the server has not kept; write it as the server has it.",
    requests: 2,
    needs: "environment",
    async check(stage): Promise<CaseFinding> {
      const { image, schedule, ...desired } = kept;
      const source = { image: { ...image, registry_id: stage.registryId } };
      const made = await createJob(stage, desired.name, { ...desired, source, schedule });
      const there = { ...made, image: (made["source"] as Fields | undefined)?.["image"] };
      const changed = differencesIn(kept, there, "");
      if (changed.length === 0) return asAssumed("all of them are as written");
      return differs(changed.join("; "));
    },
  },
];

function createAgain(stage: Stage, name: string) {
  return stage.server.send("POST", jobsPath(stage), jobBody(stage, name));
}
