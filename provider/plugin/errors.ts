import messages from "@pulumi/pulumi/proto/provider_pb.js";
import statusMessages from "@pulumi/pulumi/proto/status_pb.js";
import { Metadata, type ServiceError, status } from "@grpc/grpc-js";
import any from "google-protobuf/google/protobuf/any_pb.js";
import { UnfinishedError } from "../lifecycle/errors.ts";
import { encode } from "./values.ts";

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
