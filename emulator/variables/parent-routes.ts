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
  ...routesOf({ parent, secret: false }),
  ...routesOf({ parent, secret: true }),
]);

function placeOf(parent: string, call: Call): VariablePlace {
  return { scope: parent.toUpperCase(), parentId: call.param(`${parent}Id`) };
}

function routesOf(family: { parent: string; secret: boolean }): Route[] {
  const { parent, secret } = family;
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
    post(many, 201, schemas.ParentVariableRequest, (call) => {
      const { value = "", ...rest } = call.body;
      const content = { ...rest, value, is_secret: secret };
      return view(variables.setVariable(placeOf(parent, call), content, call.world), call.world);
    }),
    put(one, schemas.ParentVariableEditRequest, (call) =>
      view(variables.editVariable(own(call), call.body, call.world), call.world),
    ),
    remove(one, (call) => variables.removeVariable(own(call), call.world)),
    post(`${one}/override`, 201, schemas.ValueRequest, (call) => {
      const { value = "", ...notes } = call.body;
      const override = variables.overrideVariable(
        inherited(call),
        value,
        placeOf(parent, call),
        notes,
        call.world,
      );
      return view(override, call.world);
    }),
    post(`${one}/alias`, 201, schemas.KeyRequest, (call) => {
      const { key, ...notes } = call.body;
      return view(
        variables.aliasVariable(inherited(call), key, placeOf(parent, call), notes, call.world),
        call.world,
      );
    }),
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
