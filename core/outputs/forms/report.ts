import Type, { type Static } from "typebox";
import { formatAddress, formatReference, nameOf, parentAddress } from "../../model/addresses/address.ts";
import type { Budget } from "../../api/index.ts";
import { awaitingDeployment, isComplete, type Outcome, type Report } from "../../execution/execute/index.ts";
import { encodeLogLine, logLineForm } from "./deployment.ts";
import { encodeBudget } from "./budget.ts";
import { formatManifest } from "../../manifests/manifest/index.ts";
import { codesOf, remarkCodes } from "../../problems/codes.ts";
import { inForm } from "./members.ts";
import {
  addressText,
  anyValue,
  budgetForm,
  choice,
  count,
  fieldsForm,
  form,
  list,
  listOf,
  type NoOthers,
  optional,
  part,
  text,
  flag,
  texts,
} from "./forms.ts";
import { allActionTypes, isChange } from "../../planning/plan/index.ts";

const reportFormat = "infrasync-report";

/** Grows when a member is removed or changes its meaning. */
const reportVersion = 2;

const advice = optional(text("The advice."));

const lost = form("The configuration of a resource that a replacement deleted and could not create again.", {
  kind: text("As in manifests: `Job`."),
  parent: optional(text("Reference to its parent: `shop/staging`.")),
  name: text("Name."),
  manage: optional(form({ renamed_from: text("Former name.") })),
  fields: fieldsForm("Fields, as a manifest declares them."),
});

const outcome = form("The result of an action.", {
  id: text("Id of the action in the plan."),
  address: addressText,
  type: choice(allActionTypes, "Type of the action."),
  status: choice(["done", "failed", "skipped", "pending"], "Result of the action; see below."),
  already: optional(
    Type.Literal(true, { description: "Somebody else had done it since the plan was made." }),
  ),
  goes_on: optional(
    Type.Literal(true, {
      description: "Of a deployment: it was started, and the run does not wait for its end.",
    }),
  ),
  logs: optional(
    list(logLineForm, "Of a service whose deployment has failed: its last lines, oldest first."),
  ),
  before: optional(text("The version that the service ran before its failed deployment, if known.")),
  resource_id: optional(text("Id of the live resource, if infrasync knows it.")),
  message: optional(text("Why the action was not done, or its remarks in a sentence.")),
  remarks: optional(
    list(
      choice(codesOf(remarkCodes), "The sort of remark."),
      "Of an action that is done: remarks for the user; see below.",
    ),
  ),
  normalized: optional(
    listOf("Fields whose value the server did not keep as it was sent; the next plan shows them again.", {
      path: texts("Members from the top of the document down."),
      sent: optional(anyValue("The value that was sent; absent: none.")),
      kept: optional(anyValue("The value in the answer; absent: none.")),
    }),
  ),
  advice,
  code: optional(text("The code of the error; see below.")),
  lost: optional(lost),
  manifest: optional(text("With `lost`: the document that creates the resource again.")),
});

/** The report of a run: the member `report` in the output of `apply`, `destroy` and `clone`. */
export const reportForm = form("The result of a run.", {
  format: Type.Literal(reportFormat),
  version: Type.Literal(reportVersion),
  complete: flag("Whether every planned action has been done."),
  outcomes: list(outcome, "One result for each action that changes something, in the order of the plan."),
  awaiting_deployment: texts(
    "Addresses of resources that this run has created or changed but not deployed, and of services whose environment or project it has given other variables or secrets. Until you deploy them, their earlier versions run, or none. An environment stands for all of its services.",
  ),
  stopped: part("Why the run ended early.", {
    reason: choice(
      ["unauthorized", "forbidden", "quota", "server_failing", "interrupted", "standstill"],
      "The sort of reason.",
    ),
    message: text("The reason, for people."),
    advice,
  }),
  requests: form(
    "The requests that the run has sent. A key of `by_operation` is such as `GET /environment/{id}/services`.",
    { total: count("All requests."), by_operation: Type.Record(Type.String(), count("Number of requests.")) },
  ),
  budget: budgetForm,
});

/** The report of a run as JSON. */
export type ReportForm = Static<typeof reportForm>;

/** @param adviceOf phrases the remedies of an outcome; undefined: there are none */
export function encodeReport(
  report: Report,
  budget: Budget,
  adviceOf: (what: Pick<Outcome, "remedies">) => string | undefined,
): ReportForm {
  // Programs get the report of a whole run.
  const { outcomes, stopped, spent, goesOn: _goesOn, ...others } = report;
  const advised = (what: Pick<Outcome, "remedies">) => {
    const its = adviceOf(what);
    return its === undefined ? {} : { advice: its };
  };
  return {
    format: reportFormat,
    version: reportVersion,
    complete: isComplete(report),
    outcomes: outcomes
      .filter(isChange)
      .map((one) => ({ ...encodeOutcome(one), ...advised(one), ...encodeLost(one) })),
    awaiting_deployment: awaitingDeployment(report).map(formatAddress),
    ...(stopped && { stopped: { reason: stopped.reason, message: stopped.message, ...advised(stopped) } }),
    requests: inForm(spent),
    budget: encodeBudget(budget),
    ...(others satisfies NoOthers),
  };
}

function encodeOutcome(one: Outcome) {
  const { remedies: _advised, reaches: _awaiting, lost: _apart, message, remarks, ...others } = one;
  const { address, logs, normalized } = others;
  return inForm({
    ...others,
    address: formatAddress(address),
    logs: logs?.map(encodeLogLine),
    message: message ?? remarks?.map((remark) => remarkCodes[remark].words).join("; "),
    remarks: remarks && [...remarks],
    normalized: normalized?.map(inForm),
  });
}

function encodeLost({ address, lost: left }: Outcome) {
  if (!left) return {};
  const { kind, parent, ...content } = lostContent(address, left);
  return {
    lost: { kind: kind.name, ...(parent !== undefined && { parent }), ...content },
    manifest: formatManifest({ kind, parent, ...content }),
  };
}

/** The members of the manifest that creates a lost resource again. */
export function lostContent(
  address: Outcome["address"],
  { renamedFrom, fields, ...others }: NonNullable<Outcome["lost"]>,
) {
  const parent = parentAddress(address);
  return {
    kind: address.kind,
    parent: parent && formatReference(parent.names),
    name: nameOf(address),
    ...(renamedFrom !== undefined && { manage: { renamed_from: renamedFrom } }),
    fields,
    ...(others satisfies NoOthers),
  };
}
