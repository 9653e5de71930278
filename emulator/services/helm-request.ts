import { Type, type Static } from "typebox";
import {
  description,
  flag,
  GitRepositoryRequest,
  id,
  name,
  nullable,
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
  service_selectors: Type.Optional(
    nullable(Type.Array(Type.Object({ key: Type.String(), value: Type.String() }))),
  ),
  service_name: Type.Optional(nullable(Type.String())),
});
export type HelmPortRequest = Static<typeof HelmPortRequest>;

const ValuesFile = Type.Object({
  git: Type.Optional(
    nullable(Type.Object({ git_repository: GitRepositoryRequest, paths: Type.Array(Type.String()) })),
  ),
  raw: Type.Optional(
    nullable(
      Type.Object({
        values: withDefault(Type.Array(Type.Object({ name: Type.String(), content: Type.String() })), []),
      }),
    ),
  ),
});

/** Body of POST /environment/{environmentId}/helm and PUT /helm/{helmId}. */
export const HelmRequest = Type.Object({
  name,
  description,
  timeout_sec: Type.Optional(Type.Integer({ default: 600, minimum: 0 })),
  auto_preview: Type.Optional(nullable(Type.Boolean())),
  auto_deploy: Type.Boolean(),
  ports: Type.Optional(Type.Array(HelmPortRequest)),
  source: Type.Object({
    git_repository: Type.Optional(nullable(GitRepositoryRequest)),
    helm_repository: Type.Optional(
      nullable(
        Type.Object({
          repository: Type.Optional(nullable(id)),
          chart_name: Type.String({ minLength: 1 }),
          chart_version: Type.String({ minLength: 1 }),
        }),
      ),
    ),
  }),
  arguments: Type.Array(Type.String()),
  allow_cluster_wide_resources: Type.Optional(Type.Boolean({ default: false })),
  values_override: Type.Object({
    set: keyValues,
    set_string: keyValues,
    set_json: keyValues,
    file: Type.Optional(nullable(ValuesFile)),
  }),
  ...iconUri,
  blueprint_id: Type.Optional(nullable(id)),
});
export type HelmRequest = Static<typeof HelmRequest>;
