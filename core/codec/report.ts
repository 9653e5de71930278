import Type, { type Static } from "typebox";
import { formatAddress, formatReference, nameOf, parentAddress } from "../address.ts";
import type { Budget, Spent } from "../api/index.ts";
import { isComplete, type Outcome, type Report, type Stop } from "../apply/index.ts";
import { encodeBudget } from "./budget.ts";
import type { UnkeptField } from "../fields/unkept.ts";
import { formatManifest } from "../manifest/index.ts";
import {
  actionTypes,
  addressText,
  anyValue,
  budgetForm,
  choice,
  count,
  fieldsForm,
  form,
  list,
  type NoOthers,
  optional,
  text,
} from "./forms.ts";

const reportFormat = "infrasync-report";

/** It grows when a member goes or changes its meaning. */
const reportVersion = 2;

const advice = optional(text("What would help."));

const lost = form(
  {
    kind: text("As in manifests: `Job`."),
    parent: optional(text("What holds it: `shop/staging`.")),
    name: Type.String(),
    manage: optional(form({ renamed_from: text("The name that it had before.") })),
    fields: fieldsForm("As a manifest states them."),
  },
  "The resource that was deleted for a replacement and could not be made again.",
);

const outcome = form(
  {
    id: text("Id of the action in the plan."),
    address: addressText,
    type: choice(actionTypes, "What the action does."),
    status: choice(
      ["done", "failed", "skipped", "pending"],
      "`skipped`: nothing was sent for it. `pending`: begun and not finished; the next run goes on with it.",
    ),
    already: optional(
      Type.Literal(true, {
        description: "It was so before this run came to it, as another had done it since the plan.",
      }),
    ),
    resource_id: optional(text("Id of the live resource, where it is known.")),
    message: optional(text("Why it was not done, or what is to be known.")),
    unkept: optional(
      list(
        form({
          path: list(Type.String(), "As in the changes of a plan."),
          sent: optional(anyValue("What was sent. Absent: none.")),
          kept: optional(anyValue("What the answer shows. Absent: nothing.")),
        }),
        "Fields that the server has not kept as they were sent: the next plan has them again.",
      ),
    ),
    advice,
    code: optional(text("The error, for programs.")),
    lost: optional(lost),
    manifest: optional(text("With `lost`: the document that makes the resource again.")),
  },
  "What became of an action.",
);

/** What a run has done, as `apply`, `destroy` and `clone` tell programs. */
export const reportForm = form(
  {
    format: Type.Literal(reportFormat),
    version: Type.Literal(reportVersion),
    complete: Type.Boolean({ description: "Whether all that was planned has been done." }),
    outcomes: list(outcome, "One for each action that changes something, in the order of the plan."),
    stopped: optional(
      form(
        {
          reason: choice(["unauthorized", "forbidden", "quota", "interrupted"], "Why."),
          message: Type.String(),
          advice,
        },
        "Why the run ended before everything was tried.",
      ),
    ),
    requests: form(
      {
        total: count("All."),
        by_operation: Type.Record(Type.String(), count("Such as `GET /environment/{id}/services`.")),
      },
      "Requests that the run has sent.",
    ),
    budget: budgetForm,
  },
  "What a run has done.",
);

export type ReportForm = Static<typeof reportForm>;

/**
 * A report in its JSON form.
 *
 * @param adviceOn what would help, in the words of a front end
 */
export function encodeReport(
  report: Report,
  budget: Budget,
  adviceOn: (what: Pick<Outcome, "remedies">) => string | undefined,
): ReportForm {
  const { outcomes, stopped, spent, ...others } = report;
  const advised = (what: Pick<Outcome, "remedies">) => {
    const its = adviceOn(what);
    return its === undefined ? {} : { advice: its };
  };
  return {
    format: reportFormat,
    version: reportVersion,
    complete: isComplete(report),
    outcomes: outcomes
      .filter(({ type }) => type !== "none")
      .map((one) => ({ ...encodeOutcome(one), ...advised(one), ...encodeLost(one) })),
    ...(stopped && { stopped: { ...encodeStop(stopped), ...advised(stopped) } }),
    requests: encodeSpent(spent),
    budget: encodeBudget(budget),
    ...(others satisfies NoOthers),
  };
}

function encodeStop({ reason, message, remedies: _advised, ...others }: Stop) {
  return { reason, message, ...(others satisfies NoOthers) };
}

function encodeSpent({ total, byOperation, ...others }: Spent) {
  return { total, by_operation: byOperation, ...(others satisfies NoOthers) };
}

function encodeOutcome(one: Outcome) {
  const { id, address, type, status, already, resourceId, message, unkept, code, ...rest } = one;
  const { remedies: _advised, lost: _apart, ...others } = rest;
  return {
    id,
    address: formatAddress(address),
    type,
    status,
    ...(already && { already }),
    ...(resourceId !== undefined && { resource_id: resourceId }),
    ...(message !== undefined && { message }),
    ...(unkept && { unkept: unkept.map(encodeUnkept) }),
    ...(code !== undefined && { code }),
    ...(others satisfies NoOthers),
  };
}

function encodeUnkept({ path, sent, kept, ...others }: UnkeptField) {
  return {
    path,
    ...(sent !== undefined && { sent }),
    ...(kept !== undefined && { kept }),
    ...(others satisfies NoOthers),
  };
}

function encodeLost({ address, lost: left }: Outcome) {
  if (!left) return {};
  const { kind, parent, ...content } = lostContent(address, left);
  return {
    lost: { kind: kind.name, ...(parent !== undefined && { parent }), ...content },
    manifest: formatManifest({ kind, parent, ...content }),
  };
}

/** What a manifest is made of that makes a lost resource again. */
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
