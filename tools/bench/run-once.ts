// One run of the engine in a process of its own, so that its time and memory are its own: run-once.ts MODE FOLDER.
// Prints a line of JSON: Figures. The server and the token come from the environment.
import {
  applyPlan,
  createClient,
  defaultCaps,
  defaultLimits,
  findOrganization,
  Looks,
  makePlan,
  type Problem,
  systemClock,
  toDesired,
} from "../../core/index.ts";
import { loadManifests } from "../../core/manifest/index.ts";

/** What a run cost. */
export interface Figures {
  actions: number;
  requests: number;
  /** From the start of the program to the end of its work. */
  milliseconds: number;
  cpuMilliseconds: number;
  /** Most memory that the process ever had. */
  megabytes: number;
}

const [mode = "plan", folder = "."] = process.argv.slice(2);
const client = createClient({
  baseUrl: process.env["INFRASYNC_BASE_URL"] ?? "",
  token: process.env["INFRASYNC_TOKEN"] ?? "",
  onQuota: "fail",
});
const { documents, problems } = await loadManifests([folder]);
const desired = toDesired(documents);
refuse([...problems, ...desired.problems]);
const policy = { targets: [], prune: false, allowReplace: [], protect: [], caps: defaultCaps, strict: false };
const organization = await findOrganization(client, undefined);
const plan = await makePlan(client, organization, "reconcile", desired.resources, policy);
refuse(plan.problems);
if (mode === "apply") {
  const context = {
    client,
    clock: systemClock,
    looks: new Looks(client, systemClock),
    limits: defaultLimits,
  };
  const report = await applyPlan(plan, context, { parallelism: 10 });
  if (report.outcomes.some(({ status }) => status !== "done"))
    throw new Error("the apply of the benchmark failed");
}
const { user, system } = process.cpuUsage();
console.log(
  JSON.stringify({
    actions: plan.actions.filter(({ type }) => type !== "none").length,
    requests: client.spent.total,
    milliseconds: Math.round(performance.now()),
    cpuMilliseconds: Math.round((user + system) / 1000),
    megabytes: Math.round(process.resourceUsage().maxRSS / 1024),
  } satisfies Figures),
);

function refuse(found: readonly Problem[]): void {
  const [first] = found;
  if (first) throw new Error(`the benchmark's manifests are wrong: ${first.message}`);
}
