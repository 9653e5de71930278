import { Type, type Static } from "typebox";
import {
  GitRepositoryRequest,
  description,
  flag,
  id,
  maybe,
  maybeObject,
  name,
  oneOf,
  text,
  withDefault,
} from "../bodies/common.ts";
import { iconUri } from "./request.ts";

const keyValues = Type.Optional(Type.Array(Type.Array(Type.String())));

const HelmPortRequest = Type.Object({
  id: Type.Optional(id),
  name: text,
  internal_port: Type.Integer({ minimum: 1, maximum: 65535 }),
  external_port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65535 })),
  namespace: text,
  protocol: withDefault(oneOf("HTTP", "GRPC"), "HTTP"),
  is_default: flag,
  service_selectors: maybe(Type.Array(Type.Object({ key: Type.String(), value: Type.String() }))),
  service_name: maybe(Type.String()),
});
export type HelmPortRequest = Static<typeof HelmPortRequest>;

const ValuesFile = Type.Object({
  git: maybeObject({ git_repository: GitRepositoryRequest, paths: Type.Array(Type.String()) }),
  raw: maybeObject({
    values: withDefault(Type.Array(Type.Object({ name: Type.String(), content: Type.String() })), []),
  }),
});

/** Body of POST /environment/{environmentId}/helm and PUT /helm/{helmId}. */
export const HelmRequest = Type.Object({
  name,
  description,
  timeout_sec: Type.Optional(Type.Integer({ default: 600, minimum: 0 })),
  auto_preview: maybe(Type.Boolean()),
  auto_deploy: Type.Boolean(),
  ports: Type.Optional(Type.Array(HelmPortRequest)),
  source: Type.Object({
    git_repository: maybe(GitRepositoryRequest),
    helm_repository: maybeObject({
      repository: maybe(id),
      chart_name: Type.String({ minLength: 1 }),
      chart_version: Type.String({ minLength: 1 }),
    }),
  }),
  arguments: Type.Array(Type.String()),
  allow_cluster_wide_resources: Type.Optional(Type.Boolean({ default: false })),
  values_override: Type.Object({
    set: keyValues,
    set_string: keyValues,
    set_json: keyValues,
    file: maybe(ValuesFile),
  }),
  ...iconUri,
  blueprint_id: maybe(id),
});
export type HelmRequest = Static<typeof HelmRequest>;
