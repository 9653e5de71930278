import { Type, type Static } from "typebox";
import { description, name, nullable, oneOf, text, withDefault } from "../bodies/common.ts";
import { groups, iconUri } from "./request.ts";

const size = Type.Integer({ minimum: 1 });

const rest = {
  description,
  accessibility: withDefault(oneOf("PRIVATE", "PUBLIC"), "PRIVATE"),
  cpu: Type.Optional(Type.Integer({ default: 250, minimum: 1 })),
  memory: Type.Optional(size),
  instance_type: text,
  disk_type: Type.Optional(nullable(oneOf("gp2", "gp3"))),
  ...groups,
  ...iconUri,
};

/** Body of POST /environment/{environmentId}/database. */
export const DatabaseRequest = Type.Object({
  name,
  type: oneOf("MONGODB", "MYSQL", "POSTGRESQL", "REDIS"),
  version: Type.String({ minLength: 1 }),
  mode: oneOf("CONTAINER", "MANAGED"),
  storage: withDefault(size, 10),
  ...rest,
});
export type DatabaseRequest = Static<typeof DatabaseRequest>;

/** Body of PUT /database/{databaseId}: name, version and storage have no default; a request without them leaves them unchanged. */
export const DatabaseEditRequest = Type.Object({
  name: Type.Optional(name),
  version: Type.Optional(Type.String({ minLength: 1 })),
  storage: Type.Optional(size),
  ...rest,
});
