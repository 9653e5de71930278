import { type Fields, isFields, type Json, own } from "../json.ts";

/** Stated fields without the ignored ones, which are given as paths such as `schedule.cronjob.timezone`. */
export function withoutIgnored(stated: Fields, ignored: readonly string[]): Fields {
  return ignored.reduce<Fields>((fields, path) => without(fields, path.split(".")), stated);
}

function without(fields: Fields, path: readonly string[]): Fields {
  const [member = "", ...rest] = path;
  const value = own(fields, member);
  if (value === undefined) return fields;
  const { [member]: _ignored, ...others } = fields;
  return rest.length === 0 ? others : { ...others, [member]: withoutInside(value, rest) };
}

function withoutInside(value: Json, path: readonly string[]): Json {
  if (isFields(value)) return without(value, path);
  return Array.isArray(value) ? value.map((element) => withoutInside(element, path)) : value;
}
