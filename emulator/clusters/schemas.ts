import { Type } from "typebox";
import type { Static } from "typebox";
import { description, flag, name, oneOf, text, withDefault } from "../http/schemas.ts";

export const ClusterRequest = Type.Object({
  name,
  description,
  region: Type.String(),
  cloud_provider: oneOf(
    "AWS",
    "SCW",
    "GCP",
    "DO",
    "AZURE",
    "OVH",
    "CIVO",
    "HETZNER",
    "ORACLE",
    "IBM",
    "ON_PREMISE",
  ),
  min_running_nodes: Type.Optional(Type.Integer({ default: 1 })),
  max_running_nodes: Type.Optional(Type.Integer({ default: 1 })),
  disk_size: Type.Optional(Type.Integer({ default: 40 })),
  instance_type: text,
  kubernetes: withDefault(oneOf("MANAGED", "SELF_MANAGED", "PARTIALLY_MANAGED"), "MANAGED"),
  production: flag,
  ssh_keys: Type.Optional(Type.Array(Type.String())),
  cloud_provider_credentials: Type.Optional(
    Type.Object({
      cloud_provider: Type.Optional(oneOf("AWS", "SCW", "GCP", "ON_PREMISE", "AZURE")),
      credentials: Type.Optional(
        Type.Object({ id: Type.Optional(Type.String({ format: "uuid" })), name: text }),
      ),
      region: text,
    }),
  ),
});
export type ClusterRequest = Static<typeof ClusterRequest>;
