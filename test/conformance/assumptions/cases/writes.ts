import { isDone, isRefused, resourceIn, unexpected } from "../answers.ts";
import { asAssumed, differs, type AssumptionCase } from "../assumption-case.ts";
import { containerBody, createContainer, createJob, jobBody, jobsPath, listIn } from "./services.ts";

/** A second and a bit, so that a time in seconds moves. */
const aMoment = 1_100;

/** Cases about what a write does. */
export const writeCases: readonly AssumptionCase[] = [
  {
    name: "put-replaces",
    assumption: "A PUT resets the fields that it leaves out.",
    reason:
      "An update reads the resource again and sends every field. `null` in a manifest leaves a field out.",
    otherwise: "`null` would have to send the default of the field.",
    requests: 3,
    needs: "environment",
    async check(stage) {
      const { server } = stage;
      const { id } = await createJob(stage, "replaced", {
        description: "to be reset",
        max_duration_seconds: 60,
      });
      const changed = await server.send("PUT", `/job/${id}`, jobBody(stage, "replaced"));
      if (!isDone(changed)) throw unexpected(changed);
      const { description } = resourceIn(await server.get(`/job/${id}`));
      return description === "to be reset"
        ? differs("the description stayed")
        : asAssumed("the description was reset");
    },
  },
  {
    name: "put-deletes-elements",
    assumption: "A PUT deletes the ports that it leaves out, and those with their id keep it.",
    reason:
      "An update sends the ports with the ids that it has read, so that no other port is created again.",
    otherwise: "Each update would create all ports again.",
    requests: 3,
    needs: "environment",
    async check(stage) {
      const { server } = stage;
      const port = (number: number) => ({
        internal_port: number,
        external_port: number,
        protocol: "TCP",
        publicly_accessible: false,
        name: `p${number}`,
      });
      const made = await createContainer(stage, "ports", { ports: [port(8080), port(9090)] });
      const [first] = listIn(made, "ports");
      if (!first) return differs("the answer to the creation has no ports");
      const path = `/container/${made.id}`;
      const changed = await server.send("PUT", path, containerBody(stage, "ports", { ports: [first] }));
      if (!isDone(changed)) throw unexpected(changed);
      const left = listIn(resourceIn(await server.get(path)), "ports");
      if (left.length !== 1) return differs(`${left.length} ports are left of two, and one was sent`);
      return left[0]?.["id"] === first["id"]
        ? asAssumed("the port that was sent is left, with its id")
        : differs("the port that was sent is left, with a new id");
    },
  },
  {
    name: "storage-becomes-smaller",
    assumption: "A PUT can make a storage smaller.",
    reason: "A plan counts that as a loss of data that needs an approval, and then sends it.",
    otherwise: "The server refuses the change, and the run reports what the server says.",
    requests: 3,
    needs: "environment",
    async check(stage) {
      const { server } = stage;
      const storage = { type: "FAST_SSD", size: 20, mount_point: "/data" };
      const made = await createContainer(stage, "storage", { storage: [storage] });
      const path = `/container/${made.id}`;
      const smaller = listIn(made, "storage").map((each) => ({ ...each, size: 10 }));
      const changed = await server.send("PUT", path, containerBody(stage, "storage", { storage: smaller }));
      if (isRefused(changed)) return differs(`a smaller size was refused with ${changed.status}`);
      if (!isDone(changed)) throw unexpected(changed);
      const size = listIn(resourceIn(await server.get(path)), "storage")[0]?.["size"];
      return size === 10
        ? asAssumed("the storage has the smaller size")
        : differs(`the size is ${String(size)}`);
    },
  },
  {
    name: "unknown-members-are-ignored",
    assumption: "A server ignores members of a request that it does not know.",
    reason:
      "The two descriptions of the API name the cluster of a new environment differently, so a run sends both.",
    otherwise: "A run sends the creation again, under each of the two names alone.",
    requests: 1,
    needs: "environment",
    async check(stage) {
      const body = jobBody(stage, "unknown-member", { infrasync_conformance: true });
      const made = await stage.server.send("POST", jobsPath(stage), body);
      if (isRefused(made)) return differs(`the request was refused with ${made.status}`);
      if (!isDone(made)) throw unexpected(made);
      return asAssumed("the request was carried out");
    },
  },
  {
    name: "updated-at-moves",
    assumption: "`updated_at` of a resource moves when a field changes.",
    reason: "The check of a saved plan, and the check before a variable is removed, take it for the version.",
    otherwise: "A change between plan and apply would be seen only in the fields that the plan compares.",
    requests: 8,
    needs: "environment",
    async check(stage) {
      const { server } = stage;
      const { clock } = server;
      const { id } = await createJob(stage, "times");
      const read = async () => String(resourceIn(await server.get(`/job/${id}`))["updated_at"]);
      const first = await read();
      const movedBy = async (write: () => Promise<{ status: number }>, before: string) => {
        await clock.sleep(aMoment);
        await write();
        const after = await read();
        return { after, moved: after !== before };
      };
      const put = (memory: number) => server.send("PUT", `/job/${id}`, jobBody(stage, "times", { memory }));
      const changed = await movedBy(() => put(512), first);
      if (!changed.moved) return differs("it does not move with a field");
      const same = await movedBy(() => put(512), changed.after);
      const variable = {
        key: "PROBE_TIME",
        value: "1",
        is_secret: false,
        variable_scope: "JOB",
        variable_parent_id: id,
      };
      const written = () => server.send("POST", "/variable", variable);
      const { moved } = await movedBy(written, same.after);
      const how = (name: string, isMoved: boolean) => `${isMoved ? "" : "not "}with ${name}`;
      return asAssumed(
        `it moves with a field, ${how("a PUT that changes nothing", same.moved)}, ${how("a variable", moved)}`,
      );
    },
  },
];
