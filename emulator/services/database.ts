import { undeclared } from "../world/defaults.ts";
import { HttpError, invalid } from "../world/errors.ts";
import { type Static, Type } from "typebox";
import { defineServiceKind, type ServiceBody } from "./kind.ts";
import type { Service } from "../world/records.ts";
import type { World } from "../world/world.ts";
import { internalHost } from "./hosts.ts";
import * as shared from "./common-fields.ts";
import { description, maybe, name as nameText, oneOf, text, withDefault } from "../bodies/common.ts";
import { groups, iconUri } from "./request.ts";

const size = Type.Integer({ minimum: 1 });

const others = {
  description,
  accessibility: withDefault(oneOf("PRIVATE", "PUBLIC"), "PRIVATE"),
  cpu: Type.Optional(Type.Integer({ default: 250, minimum: 1 })),
  memory: Type.Optional(size),
  instance_type: text,
  disk_type: maybe(oneOf("gp2", "gp3")),
  ...groups,
  ...iconUri,
};

/** Body of POST /environment/{environmentId}/database. */
const DatabaseRequest = Type.Object({
  name: nameText,
  type: oneOf("MONGODB", "MYSQL", "POSTGRESQL", "REDIS"),
  version: Type.String({ minLength: 1 }),
  mode: oneOf("CONTAINER", "MANAGED"),
  storage: withDefault(size, 10),
  ...others,
});
type DatabaseRequest = Static<typeof DatabaseRequest>;

/** Body of PUT /database/{databaseId}: name, version and storage have no default; a request without them leaves them unchanged. */
const DatabaseEditRequest = Type.Object({
  name: Type.Optional(nameText),
  version: Type.Optional(Type.String({ minLength: 1 })),
  storage: Type.Optional(size),
  ...others,
});

type Spec = Omit<DatabaseRequest, "name">;

export const databasePorts = { MONGODB: 27017, MYSQL: 3306, POSTGRESQL: 5432, REDIS: 6379 };

// Mebibytes. The one of Redis is the emulator's own.
const defaultMemory = { MONGODB: 256, MYSQL: 512, POSTGRESQL: 100, REDIS: 100 };

export const databaseLogin = "admin";

export const databaseName = "default";

/** A database, in a container or managed by the cloud provider. */
export const database = defineServiceKind({
  kind: "database",
  create: DatabaseRequest,
  edit: DatabaseEditRequest,
  actions: ["stop", "restart-service"],
  has: { status: true },

  admit(body: DatabaseRequest | Static<typeof DatabaseEditRequest>, world, previous?: ServiceBody<Spec>) {
    // A PUT leaves members without a default unchanged when it omits them; it cannot change type and mode.
    const { type, mode, version, storage, memory, instance_type } = { ...previous?.spec, ...body };
    const { name = previous?.name, ...rest } = body;
    if (name === undefined || !type || !mode || !version) {
      throw new HttpError(400, "name, type, version and mode are required");
    }
    shared.checkCommon(rest, world);
    if (mode === "MANAGED" && !instance_type && undeclared("database.instance_type", true, false, world))
      throw invalid("instance_type", "is required for a managed database");
    const sizes = {
      ...(storage !== undefined && { storage }),
      ...(memory !== undefined && { memory }),
      ...(instance_type !== undefined && { instance_type }),
    };
    return { name, spec: { ...rest, type, mode, version, ...sizes } };
  },

  view(service, world) {
    const { spec } = service;
    const { maximum_gpu: _, ...maxima } = shared.maxima;
    return {
      ...maxima,
      icon_uri: "app://qovery-console/database",
      ...spec,
      memory: spec.memory ?? defaultMemory[spec.type],
      instance_type: spec.instance_type ?? defaultInstanceType(service, world),
      host: internalHost(service, spec.type),
      port: databasePorts[spec.type],
      disk_encrypted: true,
      ...shared.groupsView(spec, world),
    };
  },

  details: () => ({}),
});

/** A database in a container has the type of its disk, where the cloud provider has one. */
function defaultInstanceType({ parentId, spec }: Service & { spec: Spec }, { store }: World): string {
  if (spec.mode === "MANAGED") return "db.t3.medium";
  const cluster = store.clusters.peek(store.environments.peek(parentId)?.spec.clusterId ?? "");
  return cluster?.spec.cloud_provider === "AWS" ? "aws-ebs-gp3-0" : "";
}
