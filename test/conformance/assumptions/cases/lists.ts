import { isFields } from "../../../../core/values/json.ts";
import { elementsIn, resourceIn } from "../answers.ts";
import { NotKnown } from "../not-known.ts";
import { asAssumed, differs, type AssumptionCase } from "../assumption-case.ts";
import { lengthOf, seconds, until } from "../wait.ts";
import { createJob, has, jobsPath, readServices } from "./services.ts";

/** Cases about lists. */
export const listCases: readonly AssumptionCase[] = [
  {
    name: "lists-are-complete",
    assumption: "A list has a new resource as soon as its creation is answered.",
    reason:
      "A run recognises resources by the lists that it reads. One that a list leaves out is created again.",
    otherwise:
      "A run that does not know whether a creation was carried out looks twice, and may then create a second resource; its report has both ids.",
    requests: 7,
    needs: "environment",
    async check(stage) {
      const { id } = await createJob(stage, "listed");
      const readings = 6;
      const seen = await until(
        stage.server,
        readings,
        async () => has(await readServices(stage), id) || undefined,
      );
      if (seen?.after === 0) return asAssumed("the first list after the creation has the resource");
      const longest = seen?.after ?? lengthOf(readings);
      const how = seen ? "after" : "not within";
      return differs(`the list had the resource ${how} ${seconds(longest)}`);
    },
  },
  {
    name: "one-list-has-all-services",
    assumption: "One request lists all services of an environment in full.",
    reason: "A plan costs one request for each environment. Its fields come from this list.",
    otherwise: "Where the operation is missing, a plan reads one list for each kind of service.",
    requests: 3,
    needs: "environment",
    async check(stage) {
      const { id } = await createJob(stage, "in-full");
      const list = await stage.server.get(`/environment/${stage.environmentId}/services`);
      if (list.status === 404) return differs("the operation is missing");
      const listed = elementsIn(list).find((element) => element["id"] === id);
      if (!listed) throw new NotKnown("the list does not have the new service yet");
      const whole = resourceIn(await stage.server.get(`/job/${id}`));
      const missing = Object.keys(whole).filter((member) => !(member in listed));
      return missing.length === 0
        ? asAssumed("an element of the list has every member of the resource")
        : differs(`the list leaves out ${missing.join(", ")}`);
    },
  },
  {
    name: "pages-are-counted",
    assumption: "A list that is answered in pages says how many there are.",
    reason: "A page is the whole list if it says so, once that has proved right.",
    otherwise:
      "A page that may be cut is followed by another: a request or two, because what it shows of the server is kept.",
    requests: 5,
    needs: "environment",
    async check(stage) {
      await createJob(stage, "page-1");
      await createJob(stage, "page-2");
      const page = await stage.server.get(`${jobsPath(stage)}?page=1&page_size=1`);
      const onPage = elementsIn(page).length;
      if (isFields(page.answer) && isFields(page.answer["pagination"]))
        return asAssumed("the answer has `pagination`");
      const all = elementsIn(await stage.server.get(jobsPath(stage))).length;
      if (all < 2) throw new NotKnown("the list does not have the new services yet");
      return onPage < all
        ? differs("a page has a part of the list, and no `pagination`")
        : asAssumed("the list is whole, whatever page is asked for");
    },
  },
];
