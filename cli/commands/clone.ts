import {
  type ManifestDocument,
  toDesired,
  manifestMembers,
  type DesiredResource,
} from "../../core/manifests/manifest/index.ts";
import { InvalidInputError, refusal, type Problem } from "../../core/problems/problem.ts";
import { type PreparedProposal, policyOf, proposeDesired } from "../change/desired-plan.ts";
import { exitCodes } from "../exit-codes.ts";
import type { ConsentFlags } from "../flags.ts";
import type { SettingFlags } from "../settings/names.ts";
import { missingAnswer } from "../terminal/ask.ts";
import type { Console } from "../terminal/console.ts";
import type { Command } from "./command.ts";
import { cloneDocument } from "./clone/document.ts";
import { liveAddress } from "../manifests/named-environments.ts";
import { readSettings } from "../session/read-settings.ts";
import { leftOutText } from "../render/skipped-items.ts";
import { makeChange, type ProposedChange } from "../change/make-change.ts";
import { withSession, type Session } from "../session/session.ts";
import { escapeControl } from "../../core/values/text.ts";
import { outputOf } from "../../core/outputs/forms/index.ts";
import { planJson } from "../render/json.ts";
import { manifestsText } from "../files/write-files.ts";
import { renderPlan } from "../render/plan.ts";
import { type Note, isChange } from "../../core/planning/plan/index.ts";
import { title } from "../render/text.ts";
import type { Settings } from "../settings/index.ts";
import { dump, dumpCost } from "../../core/import/live/index.ts";
import type { Status } from "../progress/status.ts";

/** `infrasync clone`: clones a resource and prints the manifest of the clone. */
export const clone: Command<
  [kind: string, source: string | undefined],
  SettingFlags &
    ConsentFlags & { to: string; name?: string; set?: string[]; update?: boolean; dryRun?: boolean }
> = {
  async run({ args: [address, reference], flags, console }) {
    const mistakes: Problem[] = [];
    const to = await liveAddress(flags.to, flags, console.io, mistakes);
    const request = { ...flags, to: to.address, ...cloned(address, reference) };
    const { document, problems } = cloneDocument(request, mistakes);
    const unanswered = missingAnswer("clone", "--dry-run", flags, [], console);
    const settings = await to.suggesting(() => readSettings(flags, console, { problems, unanswered }));
    const [desired] = toDesired(document ? [document] : []).resources;
    if (!document || !desired) throw new InvalidInputError(problems);

    return withSession({ settings, console }, async (session, status) => {
      const prepared = await prepareClone(desired, flags, settings, session);
      status.pause();
      if (flags.dryRun) return preview(document, prepared, console);
      const result = cloneResult(desired, prepared, status);
      return makeChange({ ...prepared, canTarget: false, result }, { settings, flags, status, console });
    });
  },
};

function cloned(address: string, reference: string | undefined): { kind: string; source: string } {
  if (reference !== undefined) return { kind: address, source: reference };
  const [kind = "", ...names] = address.split(":");
  if (names.length > 0) return { kind, source: names.join(":") };
  const message = `${escapeControl(address)} is not the address of a resource`;
  const advice = "write its kind before it, such as environment:shop/staging or job:shop/production/migrate";
  throw refusal("argument", message, advice, address);
}

/** Shows the plan and prints the manifest that requests the clone. */
async function preview(
  document: ManifestDocument,
  { proposal: { plan }, run }: PreparedProposal,
  console: Console,
): Promise<number> {
  const { budget } = run.client;
  if (console.json) {
    console.document(
      outputOf("run", { plan: planJson(plan, budget), documents: [manifestMembers(document)] }),
      { isManifest: true },
    );
  } else {
    const { noteColors: colors, noteWidth: width } = console;
    console.note(await renderPlan(plan, { colors, budget, now: Date.now(), width }));
    console.data(manifestsText([document]));
  }
  return exitCodes.done;
}

/** Plans a clone. Changing an existing resource of that name needs `--update`. @throws InvalidInputError */
async function prepareClone(
  desired: DesiredResource,
  { update = false }: { update?: boolean },
  settings: Settings,
  session: Session,
): Promise<PreparedProposal> {
  const policy = policyOf({}, { ...settings, deploy: false }, []);
  const prepared = await proposeDesired(
    "reconcile",
    { resources: [{ ...desired, isNew: true }], policy },
    session,
  );
  const { plan } = prepared.proposal;
  const [action] = plan.actions;
  if (!action || action.source) return prepared;
  if (isChange(action) && !update)
    throw new InvalidInputError([existsProblem(title(action.address))], "not_approved");
  const note: Note = {
    code: "exists",
    message: "already exists, so nothing is cloned",
    address: action.address,
  };
  const noted = { ...plan, notes: [...plan.notes, note] };
  return { ...prepared, proposal: { ...prepared.proposal, plan: noted } };
}

function existsProblem(what: string): Problem {
  return {
    code: "exists",
    message: `${what} already exists, so it would be updated instead of cloned`,
    advice: "choose another name with --name, or allow the update with --update",
  };
}

function cloneResult(
  { address }: DesiredResource,
  { proposal, run }: PreparedProposal,
  status: Status,
): NonNullable<ProposedChange["result"]> {
  return {
    requests: dumpCost(address),
    async read() {
      status.working(`reading ${title(address)}`);
      // The clone is read again, because the server may store other values than it answered.
      const afresh = { client: run.client, live: run.live.afresh };
      const { documents, leftOut } = await dump(afresh, proposal.plan.organization, address);
      status.pause();
      const comments = leftOut.map((each) => `# ${leftOutText(each)}\n`).join("");
      return {
        text: comments + manifestsText(documents),
        json: { documents: documents.map(manifestMembers) },
      };
    },
  };
}
