import { variablesAbout } from "../variables/built-in.ts";
import { createEnvironment, createService, defaultStage } from "./creation.ts";
import type { Environment, Service, Variable } from "../world/records.ts";
import { around } from "../variables/variables.ts";
import type { World } from "../world/world.ts";

type Pair<Thing> = [source: Thing, clone: Thing];

export function registerCloning({ operations, store }: World): void {
  operations.onFinish("clone", ({ subjects }) => {
    for (const id of subjects) {
      const clone = store.services.peek(id) ?? store.environments.peek(id);
      if (clone) delete clone.hidden;
    }
  });
}

/** Starts to clone a service into an environment; throws 409 while source or target is busy. */
export function cloneService(source: Service, name: string, target: Environment, world: World): Service {
  if (!world.behaviour.parallel_operations) world.operations.requireIdle(source.id, target.id);
  const clone = createService({ ...copyOf(source, world), parentId: target.id, name }, world);
  copyRestrictions([source, clone], world);
  const builtIns = paired(variablesAbout(source, world), variablesAbout(clone, world));
  copyVariables([[source.id, clone.id]], builtIns, world);
  const holds = [source.id, clone.id, target.id];
  world.operations.start({ kind: "clone", holds, subjects: [clone.id] }, world.behaviour.clone_delay_ms);
  return clone;
}

/** Starts to clone an environment with its stages, services and variables; throws 404 for an unknown target. */
export function cloneEnvironment(
  source: Environment,
  desired: { name: string; cluster_id?: string; mode?: string; project_id?: string },
  world: World,
): Environment {
  const { store, operations } = world;
  const project = store.projects.get(desired.project_id ?? source.parentId);
  const cluster = store.clusters.get(desired.cluster_id ?? source.spec.clusterId);
  const services = store.services.under(source.id);
  const sources = [source.id, ...services.map(({ id }) => id)];
  if (!world.behaviour.parallel_operations) operations.requireIdle(...sources, project.id);

  const spec = { mode: desired.mode ?? source.spec.mode, clusterId: cluster.id };
  const clone = createEnvironment({ parentId: project.id, name: desired.name, spec, hidden: true }, world);
  const stageIds = copyStages(source, clone, world);
  const pairs = services.map((service): Pair<Service> => {
    const { stageId, isSkipped } = service.stage;
    const place = { parentId: clone.id, stageId: stageIds.get(stageId) ?? stageId, isSkipped };
    return [service, createService({ ...copyOf(service, world), ...place }, world)];
  });
  for (const pair of pairs) copyRestrictions(pair, world);
  const ofEnvironment = ({ id }: Environment) =>
    store.variables.allUnder(id).filter(({ scope, about }) => scope === "BUILT_IN" && about === undefined);
  const builtIns = [
    ...paired(ofEnvironment(source), ofEnvironment(clone)),
    ...pairs.flatMap(([from, to]) => paired(variablesAbout(from, world), variablesAbout(to, world))),
  ];
  const ids = pairs.map(([from, to]): Pair<string> => [from.id, to.id]);
  copyVariables([[source.id, clone.id], ...ids], builtIns, world);

  const subjects = [clone.id, ...pairs.map(([, copy]) => copy.id)];
  const holds = [...sources, ...subjects];
  operations.start({ kind: "clone", holds, subjects }, world.behaviour.clone_delay_ms);
  return clone;
}

/** The members of a copy, in which ports and storages get new ids. */
function copyOf(source: Service, world: World) {
  const { kind, name, settings, network } = source;
  const spec: Partial<Record<string, unknown>> = { ...source.spec };
  for (const member of ["ports", "storage"])
    if (Array.isArray(spec[member]))
      spec[member] = spec[member].map((element: object) => ({ ...element, id: world.newId() }));
  return { kind, name, spec, hidden: true, ...(settings && { settings }), ...(network && { network }) };
}

function copyRestrictions([source, clone]: Pair<Service>, world: World): void {
  const { restrictions } = world.store;
  for (const { spec } of restrictions.allUnder(source.id))
    restrictions.add({ ...world.base(clone.id), spec: { ...spec } });
}

function copyStages(source: Environment, clone: Environment, world: World): Map<string, string> {
  const { stages } = world.store;
  const [first, ...others] = stages.allUnder(source.id);
  const start = defaultStage(clone.id, world);
  if (first) stages.change(start, { name: first.name, order: first.order, spec: first.spec });
  const ids = new Map(first ? [[first.id, start.id]] : []);
  for (const { id, name, order, spec } of others) {
    ids.set(id, stages.add({ ...world.base(clone.id), name, order, spec }).id);
  }
  return ids;
}

/** Pairs the platform's variables about a resource with those about its clone. */
function paired(sources: Variable[], clones: Variable[]): Pair<Variable>[] {
  const memberOf = ({ key }: Variable) => key.replace(/^.*?_Z[0-9A-F]{8}_/, "");
  const copies = new Map(clones.map((variable) => [memberOf(variable), variable]));
  return sources.flatMap((variable) => {
    const copy = copies.get(memberOf(variable));
    return copy ? [[variable, copy] satisfies Pair<Variable>] : [];
  });
}

/** Copies variables. A copied alias or override refers to the copy of its variable, or else to the variable with its key. */
function copyVariables(places: Pair<string>[], builtIns: Pair<Variable>[], world: World): void {
  const { variables } = world.store;
  const ids = new Map(builtIns.map(([variable, copy]) => [variable.id, copy.id]));
  const copies = places.flatMap(([from, to]) =>
    variables
      .allUnder(from)
      .filter(({ scope }) => scope !== "BUILT_IN")
      .map((variable) => {
        const copy = { ...variable, ...world.base(to) };
        ids.set(variable.id, copy.id);
        return copy;
      }),
  );
  for (const { aliasOf, overrides, ...copy } of copies) {
    const target = aliasOf ?? overrides;
    const found =
      target === undefined ? undefined : (ids.get(target) ?? counterpart(target, copy.parentId, world));
    if (target !== undefined && found === undefined) continue;
    variables.add({
      ...copy,
      ...(aliasOf !== undefined && found !== undefined && { aliasOf: found }),
      ...(overrides !== undefined && found !== undefined && { overrides: found }),
    });
  }
}

/** The variable itself if it is visible in the place, or else the visible variable with the same key. */
function counterpart(id: string, placeId: string, world: World): string | undefined {
  const { variables } = world.store;
  const visible = around(placeId, world).flatMap((parent) => variables.allUnder(parent));
  const key = variables.peek(id)?.key;
  return (visible.find((other) => other.id === id) ?? visible.find((other) => other.key === key))?.id;
}
