import type { Static, TSchema } from "typebox";
import type { Service, ServiceKindName } from "../records.ts";
import type { World } from "../world.ts";

/** What a request for a service is judged with. */
export interface Admission<Spec> {
  world: World;
  environmentId: string;
  /** What the service is now; absent when it is being made. */
  previous?: { id: string; name: string; spec: Spec };
}

/** A kind of service: its request bodies, what it keeps of them, and what it answers. */
export interface ServiceKind {
  kind: ServiceKindName;
  /** `service_type` of responses. */
  type: string;
  create: TSchema;
  edit: TSchema;
  /** A valid body as the spec to keep; throws 400 for what a schema cannot say. */
  admit(body: unknown, admission: Admission<object>): { name: string; spec: object };
  /** The response. */
  view(service: Service, world: World): object;
  /** The spec of a copy: what has ids of its own gets new ones. */
  copy(spec: object, world: World): object;
}

interface Definition<Create extends TSchema, Edit extends TSchema, Spec extends object> {
  kind: ServiceKindName;
  type: string;
  create: Create;
  edit: Edit;
  admit(body: Static<Create> | Static<Edit>, admission: Admission<Spec>): { name: string; spec: Spec };
  view(service: Service & { spec: Spec }, world: World): object;
  copy(spec: Spec, world: World): Spec;
}

/** Ties the schemas, the spec and the response of one kind together. */
export function defineServiceKind<Create extends TSchema, Edit extends TSchema, Spec extends object>(
  definition: Definition<Create, Edit, Spec>,
): ServiceKind {
  // The table holds services of every kind; what a kind kept there comes back to the same kind only.
  return definition as unknown as ServiceKind;
}
