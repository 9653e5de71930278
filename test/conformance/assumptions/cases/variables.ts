import type { Fields } from "../../../../core/values/json.ts";
import { elementsIn, isDone, isRefused, resourceIn, unexpected } from "../answers.ts";
import type { Exchange } from "../server.ts";
import type { Stage } from "../stage.ts";
import { NotKnown } from "../not-known.ts";
import { asAssumed, differs, type AssumptionCase } from "../assumption-case.ts";
import { until } from "../wait.ts";
import { createJob } from "./services.ts";

/** Cases about variables. */
export const variableCases: readonly AssumptionCase[] = [
  {
    name: "values-become-aliases",
    assumption: "A variable whose value is the key of another variable becomes an alias of it.",
    reason: "A plan shows it as an alias, and removes it together with its target.",
    otherwise: "Such a variable keeps its value; the next plan shows that it is no alias.",
    requests: 3,
    needs: "environment",
    async check(stage) {
      await write(stage, "PROBE_TARGET", "x");
      await write(stage, "PROBE_ALIAS", "PROBE_TARGET");
      const [alias] = await readVariables(stage, "PROBE_ALIAS");
      return alias?.["aliased_variable"]
        ? asAssumed("the list shows an alias")
        : differs("the list shows a plain value");
    },
  },
  {
    name: "existing-keys-are-replaced",
    assumption: "A POST of an existing key replaces the variable.",
    reason: "A run that does not know whether a variable was written can write it again.",
    otherwise: "The run reports the 409; the next run finds the variable.",
    requests: 3,
    needs: "environment",
    async check(stage) {
      await write(stage, "PROBE_AGAIN", "first");
      const again = await send(stage, "PROBE_AGAIN", "second");
      if (isRefused(again)) return differs(`the second POST was refused with ${again.status}`);
      if (!isDone(again)) throw unexpected(again);
      const found = await readVariables(stage, "PROBE_AGAIN");
      return found.length === 1 && found[0]?.["value"] === "second"
        ? asAssumed("the list has one variable with the second value")
        : differs(`the list has ${found.length} variables with that key`);
    },
  },
  {
    name: "variables-are-imported",
    assumption: "One request can write many variables of a service.",
    reason: "A job with thirty variables costs one request, not thirty.",
    otherwise: "Where the operation is missing, a run writes one variable a request.",
    requests: 2,
    needs: "environment",
    async check(stage) {
      const { id } = await createJob(stage, "imported");
      const vars = ["PROBE_ONE", "PROBE_TWO"].map((name) => ({
        name,
        value: "1",
        scope: "JOB",
        is_secret: false,
      }));
      const path = `/variable/import?service_id=${id}&service_type=JOB`;
      const answer = await stage.server.send("POST", path, { overwrite: true, vars });
      if (answer.status === 404) return differs("the operation is missing");
      if (!isDone(answer)) throw unexpected(answer);
      return asAssumed("the request was carried out");
    },
  },
  {
    name: "secrets-stay-secret",
    assumption: "No answer has the value of a secret.",
    reason: "A plan does not compare secrets, and what a run keeps on disk has none.",
    otherwise: "A run hides every value that it knows to be secret, whatever an answer says.",
    requests: 2,
    needs: "environment",
    async check(stage) {
      const value = "probe-secret-value";
      const made = await send(stage, "PROBE_SECRET", value, { is_secret: true });
      if (!isDone(made)) throw unexpected(made);
      const answers = JSON.stringify([made.answer, await readVariables(stage, "PROBE_SECRET")]);
      return answers.includes(value)
        ? differs("an answer has the value")
        : asAssumed("neither the answer nor the list has the value");
    },
  },
  {
    name: "variables-do-not-outdate",
    assumption: "A changed variable does not mark a deployed service as out of date.",
    reason:
      "`apply --deploy` deploys the services whose variables it has changed, whatever their status says.",
    otherwise: "The status says so, and `deploy` and `status` name the service.",
    requests: 12,
    needs: "environment",
    costs: true,
    async check(stage) {
      const { server } = stage;
      const { id } = await createJob(stage, "deployed");
      const status = async () => {
        const { answer } = await server.get(`/job/${id}/status`);
        return (answer as Fields | undefined)?.["service_deployment_status"];
      };
      const deployed = await server.send("POST", `/job/${id}/deploy`, {});
      if (!isDone(deployed)) throw unexpected(deployed);
      const isDeployed = await until(server, 8, async () => (await status()) === "UP_TO_DATE" || undefined);
      if (!isDeployed) throw unexpected(deployed);
      const scope = { variable_scope: "JOB", variable_parent_id: id };
      const written = await server.send("POST", "/variable", {
        key: "PROBE",
        value: "1",
        is_secret: false,
        ...scope,
      });
      if (!isDone(written)) throw unexpected(written);
      return (await status()) === "OUT_OF_DATE"
        ? differs("the service is out of date")
        : asAssumed("the service is still up to date");
    },
  },
];

function send(
  { server, environmentId }: Stage,
  key: string,
  value: string,
  more: Fields = {},
): Promise<Exchange> {
  const scope = { variable_scope: "ENVIRONMENT", variable_parent_id: environmentId };
  return server.send("POST", "/variable", { key, value, is_secret: false, ...scope, ...more });
}

async function write(stage: Stage, key: string, value: string): Promise<void> {
  resourceIn(await send(stage, key, value));
}

/** The variables with the key. @throws NotKnown if there is none */
async function readVariables({ server, environmentId }: Stage, desired: string): Promise<Fields[]> {
  const all = elementsIn(await server.get(`/variable?parent_id=${environmentId}&scope=ENVIRONMENT`));
  const found = all.filter(({ key }) => key === desired);
  if (found.length === 0) throw new NotKnown("the list does not have the new variable yet");
  return found;
}
