import { notFound } from "../world/errors.ts";
import type { Variable } from "../world/records.ts";
import { list, post, put, remove, type Call, type Route } from "../http/routing.ts";
import * as schemas from "./schemas.ts";
import { serviceKinds } from "../services/index.ts";
import { variableView } from "./view.ts";
import * as variables from "./variables.ts";
import type { VariablePlace } from "./variables.ts";
import type { World } from "../world/world.ts";

const services = serviceKinds.flatMap(({ kind, has }) => (has.variables ? [kind] : []));
const parents = ["project", "environment", ...services];

/** The paths of variables and secrets below their parents; the generic paths show the same variables. */
export const parentVariableRoutes: Route[] = parents.flatMap((parent) => [
  ...routesOf(parent, false),
  ...routesOf(parent, true),
]);

function placeOf(parent: string, call: Call): VariablePlace {
  return { scope: parent.toUpperCase(), parentId: call.param(`${parent}Id`) };
}

function routesOf(parent: string, secret: boolean): Route[] {
  const part = secret ? "secret" : "environmentVariable";
  const id = `${part}Id`;
  const many = `/${parent}/{${parent}Id}/${part}`;
  const one = `${many}/{${id}}`;
  const visible = (call: Call) =>
    variables
      .visibleVariables(placeOf(parent, call), call.world)
      .filter(({ is_secret }) => is_secret === secret);
  const find = (call: Call, among: Variable[]): Variable => {
    const variable = among.find((candidate) => candidate.id === call.param(id));
    if (!variable) throw notFound(part, call.param(id));
    return variable;
  };
  const inherited = (call: Call) => find(call, visible(call));
  const own = (call: Call) =>
    find(
      call,
      visible(call).filter(({ parentId }) => parentId === call.param(`${parent}Id`)),
    );
  const view = secret ? secretView : variableView;

  return [
    list(many, visible, view),
    post(many, 201, schemas.ParentVariableRequest, (call, world, { value = "", ...rest }) => {
      const content = { ...rest, value, is_secret: secret };
      return view(variables.setVariable(placeOf(parent, call), content, world), world);
    }),
    put(one, schemas.ParentVariableRequest, (call, world, body) =>
      view(variables.editVariable(own(call), body, world), world),
    ),
    remove(one, (call, world) => variables.removeVariable(own(call), world)),
    post(`${one}/override`, 201, schemas.ValueRequest, (call, world, { value = "", ...notes }) => {
      const place = placeOf(parent, call);
      return view(variables.overrideVariable(inherited(call), { ...notes, value }, place, world), world);
    }),
    post(`${one}/alias`, 201, schemas.KeyRequest, (call, world, body) =>
      view(variables.aliasVariable(inherited(call), body, placeOf(parent, call), world), world),
    ),
  ];
}

/** A secret in a response: like a variable with other member names and without a value. */
function secretView(variable: Variable, world: World): object {
  const { value: _, aliased_variable, overridden_variable, ...rest } = variableView(variable, world);
  return {
    ...rest,
    ...(aliased_variable && { aliased_secret: aliased_variable }),
    ...(overridden_variable && { overridden_secret: overridden_variable }),
  };
}
