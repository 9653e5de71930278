import messages from "@pulumi/pulumi/proto/provider_pb.js";
import type { CheckResponse, DiffResponse } from "@pulumi/pulumi/proto/provider_pb.js";
import type { Failure } from "../lifecycle/check.ts";
import type { PropertyChange } from "../lifecycle/details.ts";
import type { Properties } from "../lifecycle/inputs.ts";
import type { DetailedDifference } from "./provider.ts";
import { encode } from "./values.ts";

/** Checked inputs as the engine has them. */
export function checked({ inputs, failures }: { inputs: Properties; failures: Failure[] }): CheckResponse {
  const answer = new messages.CheckResponse();
  answer.setInputs(encode(inputs));
  answer.setFailuresList(
    failures.map(({ property, reason }) => {
      const failure = new messages.CheckFailure();
      failure.setProperty(property);
      failure.setReason(reason);
      return failure;
    }),
  );
  return answer;
}

/** A difference as the engine has it. */
export function differing({
  changes,
  replaces,
  deleteBeforeReplace,
  details,
}: DetailedDifference): DiffResponse {
  const answer = new messages.DiffResponse();
  const { DIFF_NONE, DIFF_SOME } = messages.DiffResponse.DiffChanges;
  answer.setChanges(changes ? DIFF_SOME : DIFF_NONE);
  answer.setReplacesList(replaces);
  answer.setDeletebeforereplace(deleteBeforeReplace);
  answer.setDiffsList([...new Set(details.map(({ path }) => path.split(/[.[]/)[0] ?? path))]);
  // Without details the engine shows how the inputs differ.
  answer.setHasdetaileddiff(details.length > 0);
  for (const detail of details) {
    const property = new messages.PropertyDiff();
    property.setKind(kindOf(detail));
    property.setInputdiff(detail.isOfInputs);
    answer.getDetaileddiffMap().set(detail.path, property);
  }
  return answer;
}

function kindOf({ how, replaces }: PropertyChange) {
  const { Kind } = messages.PropertyDiff;
  const isReplaced = replaces !== undefined;
  switch (how) {
    case "add":
      return isReplaced ? Kind.ADD_REPLACE : Kind.ADD;
    case "delete":
      return isReplaced ? Kind.DELETE_REPLACE : Kind.DELETE;
    case "update":
      return isReplaced ? Kind.UPDATE_REPLACE : Kind.UPDATE;
    default:
      return how satisfies never;
  }
}
