import messages from "@pulumi/pulumi/proto/provider_pb.js";
import statusMessages from "@pulumi/pulumi/proto/status_pb.js";
import any from "google-protobuf/google/protobuf/any_pb.js";
import type { CheckResponse, DiffResponse, InvokeResponse } from "@pulumi/pulumi/proto/provider_pb.js";
import { Metadata, status, type ServiceError } from "@grpc/grpc-js";
import type { DetailedDifference } from "./provider.ts";
import { encode } from "./values.ts";
import {
  type CallResult,
  type CheckResult,
  type InputMistake,
  type PropertyChange,
  UnfinishedError,
} from "../lifecycle/index.ts";

export function checked({ inputs, failures }: CheckResult): CheckResponse {
  const answer = new messages.CheckResponse();
  answer.setInputs(encode(inputs));
  answer.setFailuresList(failures.map(failureOf));
  return answer;
}

export function invoked({ outputs, failures }: CallResult): InvokeResponse {
  const answer = new messages.InvokeResponse();
  answer.setReturn(encode(outputs));
  answer.setFailuresList(failures.map(failureOf));
  return answer;
}

function failureOf({ property, reason }: InputMistake) {
  const failure = new messages.CheckFailure();
  failure.setProperty(property);
  failure.setReason(reason);
  return failure;
}

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
  const change = how.toUpperCase() as Uppercase<typeof how>;
  const name: keyof typeof Kind = replaces === undefined ? change : `${change}_REPLACE`;
  return Kind[name];
}

/**
 * An error as the engine has it. A resource that exists but is not finished goes into the state, with the reasons why it
 * is not.
 */
export function toServiceError(error: unknown): ServiceError {
  const message = error instanceof Error ? error.message : String(error);
  const metadata = new Metadata();
  if (error instanceof UnfinishedError) {
    metadata.set("grpc-status-details-bin", Buffer.from(detailsOf(error).serializeBinary()));
  }
  return Object.assign(new Error(message), { code: status.UNKNOWN, details: message, metadata });
}

function detailsOf({ id, properties, reasons, message }: UnfinishedError) {
  const detail = new messages.ErrorResourceInitFailed();
  detail.setId(id);
  detail.setProperties(encode(properties));
  detail.setReasonsList(reasons);
  const packed = new any.Any();
  packed.pack(detail.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
  const details = new statusMessages.Status();
  details.setCode(status.UNKNOWN);
  details.setMessage(message);
  details.addDetails(packed);
  return details;
}
