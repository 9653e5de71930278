import { parse } from "yaml";
import { formatReference, nameOf, parseReference } from "../../../../core/model/addresses/address.ts";
import { concerns } from "../../../../core/planning/concerns/index.ts";
import { nameKey } from "../../../../core/model/addresses/names.ts";
import type { Concern } from "../../../../core/planning/plan/planning.ts";
import type { DesiredResource } from "../../../../core/manifests/manifest/index.ts";
import { overlay } from "../../../../core/model/fields/overlay.ts";
import { resolveReferences } from "../../../../core/model/fields/references.ts";
import { type Fields, isFields } from "../../../../core/values/json.ts";
import type {
  Contents,
  DeploymentStatus,
  LiveResource,
  Statuses,
} from "../../../../core/state/live/index.ts";
import { listingKey } from "../../../../core/model/parts/index.ts";
import { findKind, type Kind } from "../../../../core/model/kinds/index.ts";
import {
  type Action,
  circleIn,
  type Goal,
  type Plan,
  planPass,
  type Policy,
} from "../../../../core/planning/plan/index.ts";
import { frozen } from "../../../fixtures/frozen.ts";
import { openPolicy } from "../../../fixtures/policy.ts";
import { desiredOf } from "../../../fixtures/desired.ts";

/** An object on the server: a resource, or a service of a type without a kind. */
export interface Thing {
  id: string;
  kind: Kind | undefined;
  /** `job`, `database`. */
  type: string;
  name: string;
  parent: Thing | undefined;
  fields: Fields;
  /** Their keys, or their entries as the API lists them. */
  variables: (string | Fields)[];
  createdAt?: string;
  status?: DeploymentStatus;
  /** What its answer has beside its id and its name. */
  response?: Fields;
}

export const catalogues = {
  cluster: [
    { id: "cluster-eu", name: "eu-west" },
    { id: "cluster-us", name: "us-east" },
  ],
  containerRegistry: [
    { id: "registry-hub", name: "docker-hub" },
    { id: "registry-ecr", name: "ecr" },
  ],
  gitToken: [],
  annotationsGroup: [],
  labelsGroup: [],
  helmRepository: [
    { id: "charts-bitnami", name: "bitnami" },
    { id: "charts-mallory", name: "mallory" },
  ],
  project: [],
  role: [],
  credentials: [],
};

/** The members of a resource in the catalogues. */
const usual: Record<string, Fields> = {
  project: {},
  environment: { mode: "STAGING", cluster: "eu-west" },
  job: {
    source: { image: { registry: "docker-hub", image_name: "acme/report", tag: "1" } },
    schedule: { cronjob: { scheduled_at: "0 3 * * *", timezone: "UTC" } },
  },
  application: { git_repository: { url: "https://github.com/acme/api", branch: "main" } },
};

/** An organization in memory; a planner sees only the parts that it requests. */
export class World {
  readonly things = new Map<string, Thing>();
  /** The reads of a plan: `organization`, the id of a parent, `parts of ID`, a catalogue. */
  readonly read: string[] = [];
  /** Milliseconds since 1970. */
  now = Date.parse("2026-11-22T10:00:00Z");
  #made = 0;

  /**
   * Of a YAML map of addresses to fields: `job:shop/staging/a: { cpu: 750 }`. What is not said is as usual. The id of a
   * resource is its address unless it says another, with `#2` after it for the second of that name. `variables` are the keys of its variables,
   * `KEY = ID OTHER` for an alias of the variable OTHER of the resource ID, or entries as the API lists them; `status` says whether what runs is up to date, as it is unless it is said;
   * `response` has more members of its answer.
   */
  static of(text: string): World {
    const world = new World();
    const entries = (parse(text) ?? {}) as Record<
      string,
      (Fields & { variables?: (string | Fields)[] }) | null
    >;
    for (const [address, given] of Object.entries(entries)) {
      const {
        variables: keys = [],
        created_at: createdAt,
        status,
        response,
        id = address,
        ...fields
      } = given ?? {};
      const [type = "", reference = ""] = address.replace(/#\d+$/, "").split(/:(.*)/s);
      const names = parseReference(reference);
      const parent = names.length === 1 ? undefined : world.at(names.slice(0, -1));
      if (names.length > 1 && !parent) throw new Error(`${address} has no parent`);
      const thing = world.add(type, names.at(-1) ?? "", parent, { ...usual[type], ...fields }, String(id));
      thing.variables.push(...keys);
      if (typeof status === "string") thing.status = status as DeploymentStatus;
      if (typeof createdAt === "string") thing.createdAt = createdAt;
      if (isFields(response)) thing.response = response;
    }
    return world;
  }

  /** With the default fields of its kind. */
  addUsual(type: string, name: string, parent: Thing | undefined, id: string): Thing {
    return this.add(type, name, parent, usual[type] ?? {}, id);
  }

  add(type: string, name: string, parent: Thing | undefined, declared: Fields, id?: string): Thing {
    this.#made += 1;
    const kind = findKind(type);
    const fields = kind ? fieldsOf(kind, declared) : {};
    const thing = { id: id ?? `made-${this.#made}`, kind, type, name, parent, fields, variables: [] };
    this.things.set(thing.id, thing);
    return thing;
  }

  /** Finds the resource at a path of names. */
  at(names: readonly string[]): Thing | undefined {
    return [...this.things.values()].find(
      (thing) => nameKey(this.path(thing)) === nameKey(formatReference(names)),
    );
  }

  path(thing: Thing): string {
    const names: string[] = [];
    for (let at: Thing | undefined = thing; at; at = at.parent) names.unshift(at.name);
    return formatReference(names);
  }

  /** Every resource as `type:path`, in order. */
  list(): string[] {
    return [...this.things.values()].map((thing) => `${thing.type}:${this.path(thing)}`).toSorted();
  }

  remove(id: string): void {
    const inner = [...this.things.values()].filter(({ parent }) => parent?.id === id);
    for (const thing of inner) this.remove(thing.id);
    this.things.delete(id);
  }

  /**
   * Plans as the engine does: pass by pass, with the reads that the planner requests. Throws when the planner changes
   * something that it was given, and when its actions cannot be carried out in any order.
   *
   * @param requested the concerns that it asks; default: all
   */
  plan(
    documents: string | readonly DesiredResource[],
    policy: Partial<Policy> = {},
    goal: Goal = "reconcile",
    requested: readonly Concern[] = concerns,
  ): Plan {
    const resources = typeof documents === "string" ? validOf(documents) : documents;
    const contents = new Map<string, Contents>();
    const lists = new Map<string, Contents>();
    const parts = new Map<string, readonly Fields[]>();
    const defaults = new Map<string, readonly Fields[]>();
    const statuses = new Map<string, Statuses>();
    const organization = { id: "acme" };
    this.read.length = 0;
    for (;;) {
      const live = {
        organization,
        now: this.now,
        contents: frozen(contents),
        lists: frozen(lists),
        parts: frozen(parts),
        defaults: frozen(defaults),
        statuses: frozen(statuses),
      };
      const pass = planPass(
        goal,
        frozen(resources),
        frozen(live),
        frozen({ ...openPolicy, ...policy }),
        requested,
      );
      const { actions, problems, notes, needs } = pass;
      if (!needs) {
        const fault = orderFault(actions);
        if (fault !== undefined) throw new Error(fault);
        return { goal, organization, actions, problems, notes, at: 0, spent: this.read.length };
      }
      if (needs.organization) {
        this.read.push("organization");
        contents.set(organization.id, this.#contents(undefined));
      }
      for (const { id } of needs.contents) {
        this.read.push(id);
        contents.set(id, this.#contents(id));
      }
      for (const key of needs.defaults.keys()) defaults.set(key, []);
      for (const [key, { kind, parentId }] of needs.lists) {
        this.read.push(kind.catalogue ?? `${kind.name}s of ${parentId}`);
        lists.set(key, this.#contents(parentId, kind));
      }
      for (const id of needs.statuses.keys()) {
        this.read.push(`statuses of ${id}`);
        statuses.set(id, this.#statuses(id));
      }
      for (const [{ id, kind }, sorts] of needs.parts) {
        this.read.push(`parts of ${id}`);
        const keys = this.things.get(id)?.variables ?? [];
        const entries = keys.map((text): Fields => {
          if (typeof text !== "string")
            return { id: `${id} ${text["key"]}`, scope: kind.slug.toUpperCase(), ...text };
          const [key = "", target] = text.split(" = ");
          const named: Fields = target === undefined ? {} : { aliased_variable: { id: target } };
          return { id: `${id} ${key}`, key, scope: kind.slug.toUpperCase(), ...named };
        });
        for (const part of sorts) {
          const listing = part.listing(id, "parent");
          parts.set(listingKey(listing), listing.path === "/variable" ? entries : []);
        }
      }
    }
  }

  /** Applies a plan to the world, without any check. Clones are not supported. */
  carryOut(plan: Plan): void {
    const made = new Map<string, Thing>();
    for (const action of plan.actions) {
      const { id, type, address } = action;
      const name = nameOf(address);
      if (type === "delete" || type === "none" || type === "clone" || type === "deploy") continue;
      if (type === "update") {
        const thing = this.things.get(action.resourceId ?? "");
        if (!thing) continue;
        Object.assign(thing, { name, fields: action.expected });
        for (const { path, after } of action.changes)
          if (path.length === 2 && path[0] === "variables" && after === undefined)
            this.#removeVariable(`${thing.id} ${path[1]}`);
        continue;
      }
      if (type === "replace") this.remove(action.resourceId ?? "");
      const { parent } = action;
      const above =
        "id" in parent
          ? this.things.get(parent.id)
          : made.get("madeBy" in parent ? parent.madeBy : parent.madeWith);
      const thing = this.add(address.kind.slug, name, above, {});
      made.set(id, Object.assign(thing, { fields: action.expected }));
    }
    for (const action of plan.actions) if (action.type === "delete") this.remove(action.resourceId ?? "");
  }

  /** Removes a variable as the server does: with its aliases and overrides, wherever they are. */
  #removeVariable(variable: string): void {
    for (const thing of this.things.values()) {
      const keyOf = (entry: string | Fields) =>
        typeof entry === "string" ? entry.split(" = ")[0] : entry["key"];
      const kept = thing.variables.filter((entry) => `${thing.id} ${keyOf(entry)}` !== variable);
      const going = kept.filter((entry) => typeof entry === "string" && entry.endsWith(` = ${variable}`));
      thing.variables.splice(0, Infinity, ...kept);
      for (const entry of going) this.#removeVariable(`${thing.id} ${keyOf(entry)}`);
    }
  }

  #statuses(environmentId: string): Statuses {
    const inside = [...this.things.values()].filter(({ parent }) => parent?.id === environmentId);
    const services = inside.map(({ id, status = "UP_TO_DATE" }) => ({
      id,
      state: "DEPLOYED",
      deploymentStatus: status,
      executionId: undefined,
      deployedAt: undefined,
    }));
    return {
      state: "DEPLOYED",
      isUndeployed: false,
      lastDeploymentId: undefined,
      deployedAt: undefined,
      services: new Map(services.map((status) => [status.id.toLowerCase(), status])),
    };
  }

  /** @param listed the kind of a list that is read on demand only; undefined means the other lists */
  #contents(id: string | undefined, listed?: Kind): Contents {
    const inside = [...this.things.values()].filter(
      ({ parent, kind }) =>
        (parent?.id ?? "acme") === (id ?? "acme") && (kind?.listing.onDemand ? kind : undefined) === listed,
    );
    return {
      resources: [
        ...inside.flatMap((thing) => (thing.kind ? [liveOf(thing, thing.kind)] : [])),
        ...(listed ? entriesOf(listed) : []),
      ],
      unknown: inside.flatMap(({ kind, id: own, name, type }) =>
        kind ? [] : [{ id: own, name, type: type.toUpperCase() }],
      ),
    };
  }
}

/** The entries of the catalogue of a kind, which are in the world from the start. */
function entriesOf(kind: Kind): LiveResource[] {
  const entries: readonly { id: string; name: string }[] = kind.catalogue ? catalogues[kind.catalogue] : [];
  return entries.map(({ id, name }) => ({
    kind,
    id,
    name,
    parentId: "acme",
    fields: {},
    response: { id, name },
  }));
}

function liveOf({ id, name, parent, fields, createdAt, response }: Thing, kind: Kind): LiveResource {
  return {
    kind,
    id,
    name,
    parentId: parent?.id ?? "acme",
    fields,
    response: { id, name, ...(createdAt !== undefined && { created_at: createdAt }), ...response },
  };
}

function fieldsOf(kind: Kind, declared: Fields): Fields {
  const complete = kind.form?.complete?.(declared) ?? declared;
  const { fields, problems } = resolveReferences(
    kind.fields,
    complete,
    undefined,
    (catalogue) => catalogues[catalogue],
  );
  if (problems.length > 0) throw new Error(problems.map(({ message }) => message).join("; "));
  return overlay(kind.fields, undefined, fields);
}

function validOf(documents: string): readonly DesiredResource[] {
  const { resources, problems } = desiredOf(documents);
  if (problems.length > 0)
    throw new Error(`invalid manifests: ${problems.map(({ message }) => message).join("; ")}`);
  return resources;
}

/**
 * Why these actions cannot be carried out in any order: two have one id, one waits for an action that there is not, or some
 * wait for each other. Undefined if all can be ordered.
 */
function orderFault(actions: readonly Action[]): string | undefined {
  const byId = new Map(actions.map((action) => [action.id, action]));
  if (byId.size < actions.length) {
    const twice = actions.find((action) => byId.get(action.id) !== action);
    return `two actions have the id "${twice?.id}"`;
  }
  for (const { id, after, carriedOutBy } of actions) {
    const unknown = [...after, ...(carriedOutBy === undefined ? [] : [carriedOutBy])].find(
      (other) => !byId.has(other),
    );
    if (unknown !== undefined)
      return `the action "${id}" waits for "${unknown}", which is not an action of the plan`;
  }
  return circleIn(actions);
}
