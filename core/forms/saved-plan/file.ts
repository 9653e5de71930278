import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { open, readFile, rm } from "node:fs/promises";
import { formatAddress } from "../../address.ts";
import { decodePlan, encodePlan, isPlanForm, type PlanForm } from "../index.ts";
import { planFormat, planVersion } from "../../plan-format.ts";
import { writeWhole } from "../../files.ts";
import { type Fields, isFields, stableJson } from "../../json.ts";

import { type Plan, secretsWritten } from "../../plan/index.ts";
import { InvalidInputError, type Problem } from "../../problem.ts";
import type { Help } from "../../remedy.ts";
import { ensureWritable } from "../../writable.ts";
import type { Known } from "../../live/index.ts";
import type { Desired } from "../../manifest/index.ts";
import {
  decodeInputs,
  encodeInputs,
  originIn,
  type PlanInputs,
  type PlanOrigin,
  type SavedPolicy,
} from "./inputs.ts";
import { type SeenInPlan, seenBy } from "./seen.ts";

/**
 * Checks that a plan can be written to the file before requests are spent on the plan. Only an older plan or an empty
 * file may be overwritten: a mistake such as `plan --out shop.yaml` must not destroy a manifest.
 *
 * @throws InvalidInputError
 */
export async function ensurePlanWritable(file: string): Promise<void> {
  await ensureWritable(file);
  if (!existsSync(file)) return;
  const old = await readText(file);
  if (old === "" || parse(old)?.["format"] === planFormat) return;
  throw new InvalidInputError([
    {
      code: "unwritable",
      message: `${file} exists and is not a saved plan, so nothing is written to it`,
      advice: "delete that file",
      remedies: [{ setting: "plan_output" }],
    },
  ]);
}

/** A saved plan and its inputs. */
export interface SavedPlan {
  plan: Plan;
  resources: readonly Desired[];
  policy: SavedPolicy;
  /** The resources that it changes or deletes. */
  seen: readonly SeenInPlan[];
  /** The digest of its file. */
  digest: string;
}

/**
 * Writes a plan and its inputs to a file, so that `apply --plan` can plan again and compare. If it fails, the old file
 * stays.
 *
 * @param known the live state that the plan was made of
 * @throws InvalidInputError if the plan sends a secret whose value stands in a manifest
 */
export async function writePlan(
  file: string,
  plan: Plan,
  { inputs, known, baseUrl }: { inputs: PlanInputs; known: Known; baseUrl: string },
): Promise<void> {
  refusePlainSecrets(plan);
  const form = {
    ...encodePlan(plan),
    base_url: baseUrl,
    inputs: encodeInputs(inputs, plan.at),
    seen: seenBy(plan, known),
  };
  await writeForm(file, form);
}

async function writeForm(file: string, form: object): Promise<void> {
  // Leaves out undefined members, so that the digest covers the content of the file.
  const content = JSON.parse(JSON.stringify(form)) as Fields;
  const text = JSON.stringify({ ...content, digest: digestOf(content) }, undefined, 2);
  await writeWhole(file, `${text}\n`, 0o600);
}

/** Refuses a plan that sends secrets whose values stand in the manifests: a saved plan has no values of secrets. */
function refusePlainSecrets(plan: Plan): void {
  const problems = plan.actions.flatMap((action) =>
    secretsWritten(action).flatMap(({ path, reference }): Problem[] => {
      const address = formatAddress(action.address);
      return Object.hasOwn(reference, "from_document")
        ? [
            {
              code: "secret",
              message: `${address}: ${path}: its value stands in the manifest, and a saved plan contains no value of a secret`,
              advice: "name a source such as from_env in the manifest, or apply without a saved plan",
              address,
            },
          ]
        : [];
    }),
  );
  if (problems.length > 0) throw new InvalidInputError(problems);
}

/**
 * Reads a plan that `writePlan` has written for the same API.
 *
 * @throws InvalidInputError if the file is not a plan, was edited or applied before, or is of another version or server
 */
export async function readPlan(file: string, baseUrl: string): Promise<SavedPlan> {
  const content = await readForm(file);
  if (content.base_url !== baseUrl)
    throw refused(file, `was made for ${content.base_url}, not for ${baseUrl}`, {
      remedies: [{ setting: "base_url", value: content.base_url }, ...planAgain.remedies],
    });
  const plan = decoded(file, content);
  const { inputs, seen, digest = "" } = content;
  refuseUsed(file, content);
  if (!inputs || !seen) throw refused(file, "does not say what it was made of", planAgain);
  const { resources, policy, problems } = decodeInputs(inputs, file);
  if (problems.length > 0) throw new InvalidInputError(problems);
  return { plan, resources, policy, seen, digest };
}

/**
 * Marks a saved plan as applied in its file. Of several applies at the same time, only one succeeds.
 *
 * @param at milliseconds since 1970
 * @throws InvalidInputError if another apply has marked it, or the file contains another plan now
 * @throws the error of the file system if nothing can be written beside the file
 */
export async function claimPlan(file: string, { digest }: SavedPlan, at: number): Promise<void> {
  const claim = `${file}.claim`;
  try {
    await (await open(claim, "wx", 0o600)).close();
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    throw refused(file, `is being applied: ${claim} exists, and a saved plan is used once`, planAgain);
  }
  try {
    const { digest: present, ...form } = await readForm(file);
    refuseUsed(file, form);
    if (present !== digest) throw refused(file, "has another plan than a moment ago", planAgain);
    await writeForm(file, { ...form, applied_at: new Date(at).toISOString() });
  } finally {
    await rm(claim, { force: true });
  }
}

function refuseUsed(file: string, { applied_at: appliedAt }: Pick<PlanForm, "applied_at">): void {
  if (appliedAt === undefined) return;
  throw refused(file, `was applied at ${appliedAt}, and a saved plan is used once`, planAgain);
}

/**
 * Reads a plan that `writePlan` has written for any API, to show it.
 *
 * @throws InvalidInputError if the file is not a plan, was edited, or is of another version
 */
export async function readAnyPlan(
  file: string,
): Promise<{ plan: Plan; baseUrl: string; origin: PlanOrigin; appliedAt: string | undefined }> {
  const content = await readForm(file);
  const { base_url: baseUrl = "", inputs, applied_at: appliedAt } = content;
  return { plan: decoded(file, content), baseUrl, origin: inputs ? originIn(inputs) : {}, appliedAt };
}

async function readForm(file: string): Promise<PlanForm> {
  const text = await readText(file);
  const content = parse(text);
  if (!content || content["format"] !== planFormat)
    throw refused(file, "is not a plan of infrasync", anotherFile);
  if (content["version"] !== planVersion)
    throw refused(
      file,
      `is a plan of version ${String(content["version"])}, and this infrasync reads version ${planVersion}`,
      planAgain,
    );
  const { digest, ...rest } = content;
  if (digest === undefined)
    throw refused(file, "has no digest: it is a plan to be read, not a saved one", anotherFile);
  if (digest !== digestOf(rest)) throw refused(file, "has been changed since it was written", planAgain);
  if (!isPlanForm(content))
    throw refused(file, "has members that this infrasync does not know, or lacks some", planAgain);
  return content;
}

function decoded(file: string, content: PlanForm): Plan {
  try {
    return decodePlan(content);
  } catch (error) {
    throw refused(file, `cannot be carried out: ${error instanceof Error ? error.message : "?"}`, planAgain);
  }
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    throw refused(file, code === "ENOENT" ? "does not exist" : `cannot be read (${code})`, anotherFile);
  }
}

function parse(text: string): Fields | undefined {
  try {
    const content: unknown = JSON.parse(text);
    return isFields(content) ? content : undefined;
  } catch {
    return undefined;
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
