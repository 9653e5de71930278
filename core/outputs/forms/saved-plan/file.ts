import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { open, readFile, rm } from "node:fs/promises";
import { type AnyAddress, formatAddress, parseAnyAddress } from "../../../model/addresses/address.ts";
import { decodePlan } from "../decode-plan.ts";
import { digestOfActions, encodePlan, type PlanForm } from "../index.ts";
import { savedPlanFormat, savedPlanVersion } from "../../../model/plan-format.ts";
import { writeWhole } from "../../../files/files.ts";
import { type Fields, isFields, parsedJson, stableJson } from "../../../values/json.ts";

import { hasChanges, isChange, type Plan, secretsWritten, wavesOf } from "../../../planning/plan/index.ts";
import { InvalidInputError, type Problem } from "../../../problems/problem.ts";
import type { Help } from "../../../problems/remedy.ts";
import { ensureWritable } from "../../../files/writable.ts";
import type { LiveValues } from "../../../state/live/index.ts";
import type { DesiredResource } from "../../../manifests/manifest/index.ts";
import {
  decodeInputs,
  encodeInputs,
  originIn,
  type PlanInputs,
  type PlanOrigin,
  type SavedPolicy,
} from "./inputs.ts";
import { isSavedPlanForm, type SavedPlanForm } from "./form.ts";
import { statesOf } from "./states.ts";
import { codeOf } from "../../../values/error-code.ts";

/** Checks that a plan can be written before requests are spent: `plan --out shop.yaml` must not destroy a manifest. */
export async function ensurePlanWritable(file: string): Promise<void> {
  await ensureWritable(file);
  if (!existsSync(file)) return;
  const old = await readText(file);
  const content = parsedJson(old);
  if (old === "" || (isFields(content) && content["format"] === savedPlanFormat)) return;
  throw new InvalidInputError([
    {
      code: "unwritable",
      message: `${file} exists and is not a saved plan, so nothing is written to it`,
      advice: "delete that file",
      remedies: [{ setting: "plan_output" }],
    },
  ]);
}

/** A saved plan: its inputs, its effects, and the live state behind it. */
export interface SavedPlan {
  /** As `plan --output json` prints it. */
  plan: PlanForm;
  /** When it was made, by the clock of the server, in milliseconds since 1970. */
  at: number;
  resources: readonly DesiredResource[];
  policy: SavedPolicy;
  states: Readonly<Record<string, string>>;
  actionsDigest: string;
  digest: string;
}

/** A saved plan for people and programs. */
export interface ShownPlan {
  /** As `plan --output json` prints it, in the words of the front end. */
  form: PlanForm;
  /** The plan for printers. */
  plan: Plan;
  /** The members that cannot be computed from the plan. */
  saved: { cost: PlanForm["cost"]; digest: string };
  /** The environment of a resource, if there are several. */
  sectionOf: ((address: AnyAddress) => string) | undefined;
  baseUrl: string;
  origin: PlanOrigin;
  appliedAt: string | undefined;
}

/** The saved members of a plan. */
interface SavedParts extends Partial<Pick<ShownPlan, "form" | "sectionOf">> {
  inputs: PlanInputs;
  /** The live state behind it. */
  known: LiveValues;
  baseUrl: string;
}

/** Writes a plan for `apply --plan`; a failure leaves the old file. @throws InvalidInputError for a secret's value in a manifest */
export async function writePlan(
  file: string,
  plan: Plan,
  { inputs, known, baseUrl, form = encodePlan(plan), sectionOf }: SavedParts,
): Promise<void> {
  refusePlainSecrets(plan);
  const addresses = plan.actions.filter(isChange).map(({ address }) => address);
  await writeForm(file, {
    format: savedPlanFormat,
    version: savedPlanVersion,
    base_url: baseUrl,
    inputs: encodeInputs(inputs, plan),
    actions_digest: digestOfActions(plan),
    states: statesOf(plan, known),
    plan: { ...form, actions_digest: undefined },
    sections:
      sectionOf && Object.fromEntries(addresses.map((each) => [formatAddress(each), sectionOf(each)])),
    unmanaged: hasChanges(plan)
      ? undefined
      : plan.unmanaged?.map(({ sort, address, path }) => ({ sort, address: formatAddress(address), path })),
  } satisfies Omit<SavedPlanForm, "digest">);
}

async function writeForm(file: string, form: object): Promise<void> {
  // Removes undefined members, so that the digest covers the content of the file.
  const content = JSON.parse(JSON.stringify(form)) as Fields;
  const text = JSON.stringify({ ...content, digest: digestOf(content) });
  await writeWhole(file, `${text}\n`, 0o600);
}

/** Refuses a plan that sends secrets from manifests: a saved plan has no values of secrets. */
function refusePlainSecrets(plan: Plan): void {
  const problems = plan.actions.flatMap((action) =>
    secretsWritten(action).flatMap(({ path, reference }): Problem[] => {
      const address = formatAddress(action.address);
      return Object.hasOwn(reference, "from_document")
        ? [
            {
              code: "secret",
              message: `${address}: ${path}: its value is in the manifest, and a saved plan contains no secret values`,
              advice: "name a source such as from_env in the manifest, or apply without a saved plan",
              address,
            },
          ]
        : [];
    }),
  );
  if (problems.length > 0) throw new InvalidInputError(problems);
}

/** Reads a plan for the same API. @throws InvalidInputError if it is none, or was edited, applied, or made by another version */
export async function readPlan(file: string, baseUrl: string): Promise<SavedPlan> {
  const content = await readForm(file);
  if (content.base_url !== baseUrl)
    throw refused(file, `was made for ${content.base_url}, not for ${baseUrl}`, {
      remedies: [{ setting: "base_url", value: content.base_url }, ...planAgain.remedies],
    });
  refuseUsed(file, content);
  const { inputs, states, actions_digest: actionsDigest, digest, plan } = content;
  const { resources, policy, problems } = decodeInputs(inputs, file);
  if (problems.length > 0) throw new InvalidInputError(problems);
  const at = Date.parse(inputs.planned_at);
  return { plan, at, resources, policy, states, actionsDigest, digest };
}

/** Marks a saved plan as applied; of simultaneous applies, only one succeeds. @throws InvalidInputError for another or applied plan */
export async function claimPlan(file: string, { digest }: SavedPlan, at: number): Promise<void> {
  const claim = `${file}.claim`;
  try {
    await (await open(claim, "wx", 0o600)).close();
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
    throw refused(file, `is being applied: ${claim} exists, and a saved plan is used once`, planAgain);
  }
  try {
    const { digest: present, ...form } = await readForm(file);
    refuseUsed(file, form);
    if (present !== digest) throw refused(file, "has changed while it was read", planAgain);
    await writeForm(file, { ...form, applied_at: new Date(at).toISOString() });
  } finally {
    await rm(claim, { force: true });
  }
}

function refuseUsed(file: string, { applied_at: appliedAt }: Pick<SavedPlanForm, "applied_at">): void {
  if (appliedAt === undefined) return;
  throw refused(file, `was applied at ${appliedAt}, and a saved plan is used once`, planAgain);
}

/** Reads a plan for any API, to show it. @throws InvalidInputError if it is none, was edited, or is of another version */
export async function readAnyPlan(file: string): Promise<ShownPlan> {
  const content = await readForm(file);
  const { base_url: baseUrl, inputs, applied_at: appliedAt, sections, unmanaged, actions_digest } = content;
  const form = { ...content.plan, actions_digest };
  const plan = {
    ...decodePlan(form, Date.parse(inputs.planned_at)),
    waveOf: wavesOf(decodeInputs(inputs, file).resources),
    ...(unmanaged && {
      unmanaged: unmanaged.map(({ address, ...each }) => ({ ...each, address: parseAnyAddress(address) })),
    }),
  };
  const sectionOf = sections && ((address: AnyAddress) => sections[formatAddress(address)] ?? "");
  return {
    form,
    plan,
    origin: originIn(inputs),
    saved: { cost: form.cost, digest: actions_digest },
    sectionOf,
    baseUrl,
    appliedAt,
  };
}

async function readForm(file: string): Promise<SavedPlanForm> {
  const text = await readText(file);
  const content = parsedJson(text);
  if (!isFields(content) || content["format"] !== savedPlanFormat)
    throw refused(file, "is not a saved plan of infrasync", anotherFile);
  if (content["version"] !== savedPlanVersion)
    throw refused(
      file,
      `is a saved plan of version ${String(content["version"])}, and this infrasync reads version ${savedPlanVersion}`,
      planAgain,
    );
  const { digest, ...rest } = content;
  if (digest !== digestOf(rest)) throw refused(file, "has been changed since it was written", planAgain);
  if (!isSavedPlanForm(content))
    throw refused(file, "has members that this infrasync does not know, or lacks some", planAgain);
  return content;
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    const code = codeOf(error) ?? "unknown";
    throw refused(file, code === "ENOENT" ? "does not exist" : `cannot be read (${code})`, anotherFile);
  }
}

function digestOf(content: Fields): string {
  return createHash("sha256").update(stableJson(content)).digest("hex");
}

const planAgain = { remedies: [{ again: "plan" }] } as const satisfies Help;
const anotherFile = { remedies: [{ setting: "plan_file" }] } as const satisfies Help;

function refused(file: string, what: string, help: Help): InvalidInputError {
  return new InvalidInputError([{ code: "saved_plan", message: `the plan file ${file} ${what}`, ...help }]);
}
