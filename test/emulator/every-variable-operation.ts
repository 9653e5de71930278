import type { Client, Resource } from "../fixtures/client.ts";

/** Uses every operation of variables and secrets, each with success. */
export async function everyVariableOperation(
  client: Client,
  project: Resource,
  environment: Resource,
  services: Record<string, Resource>,
): Promise<void> {
  const job = services["job"]?.id ?? "";
  const { application, container } = services;
  const parents = { project, environment, application, container, job: services["job"] };
  const shared = await client.post("/variable", variable("SHARED", "PROJECT", project.id));
  await client.post(`/variable/${shared.id}/alias`, {
    key: "ALIAS",
    alias_scope: "JOB",
    alias_parent_id: job,
  });
  const override = { value: "mine", override_scope: "JOB", override_parent_id: job };
  await client.post(`/variable/${shared.id}/override`, override);
  await client.post("/variable", {
    ...variable("FILE", "JOB", job),
    mount_path: "/etc/app",
    is_secret: true,
  });
  await client.list(`/variable?parent_id=${job}&scope=JOB`);
  await client.put(`/variable/${shared.id}`, { key: "SHARED", value: "changed", description: "for all" });
  await client.post(`/variable/import?service_id=${job}&service_type=JOB`, {
    overwrite: true,
    vars: [
      { name: "A", value: "1", scope: "JOB", is_secret: false },
      { name: "B", value: "2", scope: "ENVIRONMENT", is_secret: true },
    ],
  });
  for (const [parent, { id } = { id: "" }] of Object.entries(parents)) {
    for (const part of ["environmentVariable", "secret"]) {
      const path = `/${parent}/${id}/${part}`;
      const mine = await client.post(path, { key: `${parent}_${part}`, value: "1", description: "one" });
      await client.post(`${path}/${mine.id}/alias`, { key: `${parent}_${part}_ALIAS` });
      await client.list(path);
      await client.put(`${path}/${mine.id}`, { key: `${parent}_${part}`, value: "2" });
      const around = await client.post(`/project/${project.id}/${part}`, {
        key: `${parent}_AROUND`,
        value: "1",
      });
      await client.post(`${path}/${around.id}/override`, { value: "3" });
      await client.delete(`${path}/${mine.id}`);
    }
  }
  await client.delete(`/variable/${shared.id}`);
}

function variable(key: string, scope: string, parentId: string) {
  return { key, value: "1", is_secret: false, variable_scope: scope, variable_parent_id: parentId };
}
