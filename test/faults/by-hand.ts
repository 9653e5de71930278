import type { Fields } from "../../core/values/json.ts";
import { isFields } from "../../core/values/json.ts";
import { kinds } from "../../core/model/kinds/index.ts";
import { updateResource } from "../../core/operations/writes.ts";
import type { Harness } from "../fixtures/harness.ts";

/** Changes fields of a service, or its name, as a person in the console would. */
export async function change(
  server: Harness,
  answer: Fields,
  declared: Fields,
  name?: string,
): Promise<void> {
  const kind = kinds.find((each) => each.name.toUpperCase() === answer["service_type"]);
  if (!kind) return;
  const parent = answer["environment"];
  const target = { kind, id: String(answer["id"]), parentId: isFields(parent) ? String(parent["id"]) : "" };
  await updateResource(server.context(), target, { declared, ...(name !== undefined && { name }) });
}

/** Adds a variable or a secret to a resource. */
export async function addVariable(
  server: Harness,
  { id = "", service_type: type = "ENVIRONMENT" }: Fields,
  key: string,
  isSecret: boolean,
): Promise<void> {
  await server.api("POST", "/variable", {
    key,
    value: "manually",
    is_secret: isSecret,
    variable_scope: type,
    variable_parent_id: id,
  });
}
