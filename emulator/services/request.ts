import { Type } from "typebox";
import {
  id,
  maybe,
  maybeObject,
  nullable,
  oneOf,
  optionalObject,
  references,
  text,
  texts,
  uri,
} from "../bodies/common.ts";

// Schemas shared by the request bodies of several kinds of service. They contain the defaults, which are the same for
// PUT and POST.

const port = Type.Optional(Type.Integer());

const ProbeRequest = nullable(
  Type.Object({
    type: optionalObject({
      tcp: maybeObject({ port, host: maybe(Type.String({ default: null })) }),
      http: maybeObject({
        path: Type.Optional(Type.String({ default: "/" })),
        scheme: Type.Optional(Type.String({ default: "HTTP" })),
        port,
      }),
      exec: maybeObject({ command: Type.Optional(Type.Array(Type.String(), { minItems: 1 })) }),
      grpc: maybeObject({ service: maybe(Type.String({ default: null })), port }),
    }),
    initial_delay_seconds: Type.Optional(Type.Integer({ default: 30 })),
    period_seconds: Type.Optional(Type.Integer({ default: 10 })),
    timeout_seconds: Type.Optional(Type.Integer({ default: 5 })),
    success_threshold: Type.Optional(Type.Integer({ default: 1 })),
    failure_threshold: Type.Optional(Type.Integer({ default: 9 })),
  }),
);

export const healthchecks = optionalObject(
  { readiness_probe: Type.Optional(ProbeRequest), liveness_probe: Type.Optional(ProbeRequest) },
  { default: {} },
);

export const resources = {
  cpu: Type.Optional(Type.Integer({ default: 500, minimum: 1 })),
  memory: Type.Optional(Type.Integer({ default: 512, minimum: 1 })),
  gpu: Type.Optional(Type.Integer({ default: 0, minimum: 0 })),
  ephemeral_storage_in_gib: Type.Optional(Type.Integer({ minimum: 0 })),
  cpu_architecture: maybe(oneOf("AMD64", "ARM64")),
};

export const command = { arguments: texts, entrypoint: text };

export const groups = { annotations_groups: references, labels_groups: references };

export const iconUri = { icon_uri: Type.Optional(uri) };

export const autoDeploy = { auto_deploy: maybe(Type.Boolean()) };

export const CloneServiceRequest = Type.Object({
  name: Type.String({ minLength: 1, pattern: "\\S" }),
  environment_id: id,
});
