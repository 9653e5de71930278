import { isDone, isRefused, unexpected } from "../answers.ts";
import { asAssumed, differs, type Finding, type Story } from "../story.ts";
import type { Stage } from "../stage.ts";
import { createJob, jobBody, jobsPath } from "./services.ts";

/** Stories about names. */
export const nameStories: readonly Story[] = [
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
      if (isDone(second)) return differs("the server created a second one", { duplicate_names: true });
      if (second.status === 409) return asAssumed("the second creation was refused with 409");
      if (!isRefused(second)) throw unexpected(second);
      const { status } = second;
      return differs(`the second creation was refused with ${status}`, { taken_name_status: status });
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
      if (isDone(second)) return differs("the server created a second one", { case_sensitive_names: true });
      if (!isRefused(second)) throw unexpected(second);
      return asAssumed(`the second creation was refused with ${second.status}`);
    },
  },
  {
    name: "texts-are-kept",
    assumption: "A resource has its name, texts and numbers as they were written.",
    reason: "A field that the server changes differs from its manifest in every plan.",
    otherwise:
      "The report of a run names each value that the server has not kept; write it as the server has it.",
    requests: 2,
    needs: "environment",
    async check(stage): Promise<Finding> {
      const wanted = {
        name: "Kept-As-Is",
        description: " Two  spaces, ünïcode and an end ",
        cpu: 260,
        memory: 300,
      };
      const made = await createJob(stage, wanted.name, { ...wanted });
      const { name, description, cpu } = made;
      const changed = Object.entries(wanted).filter(([member, value]) => made[member] !== value);
      if (changed.length === 0) return asAssumed("name, description, cpu and memory are as written");
      return differs(
        changed
          .map(
            ([member, value]) => `${member} ${JSON.stringify(value)} became ${JSON.stringify(made[member])}`,
          )
          .join("; "),
        {
          ...(name === wanted.name.toLowerCase() && { lowers_names: true }),
          ...(description === wanted.description.trim() && { trims_texts: true }),
          ...(typeof cpu === "number" && cpu > wanted.cpu && { cpu_step: cpu }),
        },
      );
    },
  },
];

function createAgain(stage: Stage, name: string) {
  return stage.server.send("POST", jobsPath(stage), jobBody(stage, name));
}
