import { type Desired, toDesired } from "../../core/desired.ts";
import { dump, dumpCost } from "../../core/dump.ts";
import { type ManifestDocument, manifestMembers } from "../../core/manifest/index.ts";
import { InvalidInputError } from "../../core/problem.ts";
import { missingAnswer } from "../ask.ts";
import { makeChange, type Prepared } from "../change.ts";
import { cloneDocument } from "../clone-document.ts";
import type { Console } from "../console.ts";
import { exitCodes } from "../exit-codes.ts";
import type { ConsentFlags, SettingFlags } from "../flags.ts";
import { readSettings } from "../inputs.ts";
import { manifestsText } from "../manifests-text.ts";
import { planFor, policyOf } from "../planning.ts";
import { title } from "../render/actions.ts";
import { renderPlan } from "../render/plan.ts";
import { planJson } from "../render/plan-json.ts";
import { openSession } from "../session.ts";
import type { Settings } from "../settings/index.ts";
import { type Status, withStatus } from "../status.ts";

interface Flags extends SettingFlags, ConsentFlags {
  to: string;
  name?: string;
  set?: string[];
  dryRun?: boolean;
}

/** `infrasync clone`: clones one resource, and gives the manifest that describes the clone. */
export async function clone(kind: string, source: string, flags: Flags, console: Console): Promise<number> {
  const { document, problems } = cloneDocument({ ...flags, kind, source });
  const unanswered = flags.dryRun ? [] : missingAnswer("clone", "--dry-run", flags, [], console);
  const settings = await readSettings(flags, console, problems, unanswered);
  const { resources } = toDesired(document ? [document] : []);
  const [wanted] = resources;
  if (!document || !wanted) throw new InvalidInputError(problems);

  return withStatus(console, async (status) => {
    status.working("reading what is live");
    const prepared = await preparedClone(wanted, settings, console, status);
    status.pause();
    if (flags.dryRun) return preview(document, prepared, console);
    const { plan, operations } = prepared;
    return makeChange(
      {
        ...prepared,
        result: {
          requests: dumpCost(wanted.address),
          async read() {
            status.working(`reading ${title(plan.actions[0]?.address ?? "")}`);
            const { documents } = await dump(operations.client, plan.organization, wanted.address);
            status.pause();
            return { text: manifestsText(documents), json: { documents: documents.map(manifestMembers) } };
          },
        },
      },
      { settings, flags, status, console },
    );
  });
}

async function preparedClone(
  wanted: Desired,
  settings: Settings,
  console: Console,
  status: Status,
): Promise<Prepared> {
  const session = await openSession(settings, console, status);
  const plan = await planFor(
    "reconcile",
    { resources: [wanted], policy: policyOf({}, settings, []) },
    session,
  );
  const [action] = plan.actions;
  if (action && action.type !== "clone") {
    plan.notes.push({ address: action.address, message: "exists already, so nothing is cloned" });
  }
  return { plan, operations: session.operations };
}

/** Shows what would be done, and gives the manifest that asks for it. */
function preview(document: ManifestDocument, { plan, operations }: Prepared, console: Console): number {
  const { budget } = operations.client;
  if (console.json) {
    console.document({ ok: true, plan: planJson(plan, budget), documents: [manifestMembers(document)] });
  } else {
    console.note(renderPlan(plan, { colors: console.noteColors, budget, now: Date.now() }));
    console.data(manifestsText([document]));
  }
  return exitCodes.done;
}
