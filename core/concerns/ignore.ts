import type { Concern } from "../plan/planning.ts";
import { type Fields, isFields, type Json, own } from "../json.ts";

const isNew = "what others change later is ignored; a new resource gets all that its document states";

/** `manage.ignore`: fields that others change. */
export const ignore: Concern = {
  name: "ignore",
  state: {
    on: { nothing: isNew, source: isNew, existing: true },
    run: (_, { desired, stated }) => ({ stated: withoutIgnored(stated, desired.manage.ignore ?? []) }),
  },
};

/** Stated fields without the ignored ones, which are given as paths such as `schedule.cronjob.timezone`. */
function withoutIgnored(stated: Fields, ignored: readonly string[]): Fields {
  return ignored.reduce<Fields>((fields, path) => without(fields, path.split(".")), stated);
}

function without(fields: Fields, path: readonly string[]): Fields {
  const length = memberLength(fields, path);
  const member = path.slice(0, length).join(".");
  const rest = path.slice(length);
  const value = own(fields, member);
  if (value === undefined) return fields;
  const { [member]: _ignored, ...others } = fields;
  return rest.length === 0 ? others : { ...others, [member]: withoutInside(value, rest) };
}

function withoutInside(value: Json, path: readonly string[]): Json {
  if (isFields(value)) return without(value, path);
  return Array.isArray(value) ? value.map((element) => withoutInside(element, path)) : value;
}

/** How many parts of a path are its first member: free keys, such as domains, may have dots. */
function memberLength(fields: Fields, path: readonly string[]): number {
  for (let length = path.length; length > 1; length -= 1)
    if (own(fields, path.slice(0, length).join(".")) !== undefined) return length;
  return 1;
}
