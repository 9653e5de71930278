import type { Client, Resource } from "../fixtures/client.ts";

/** What the API description does not have and clients use all the same. */
export async function everyFurtherOperation(
  client: Client,
  root: string,
  environmentId: string,
  services: Record<string, Resource>,
): Promise<void> {
  await client.list(`/environment/${environmentId}/deploymentHistory`);
  for (const [kind, { id }] of Object.entries(services))
    if (kind !== "terraform") await client.list(`/${kind}/${id}/deploymentHistory`);
  await client.list(`${root}/lock`);
  const [cluster] = await client.list(`${root}/cluster`);
  await client.get(`/cluster/${cluster?.id}/token`);
  const analyses = `/clusters/${cluster?.id}/analysis`;
  const analysis = await client.post(analyses, { kind: "COST_RECOMMENDATION", output_format: "JSON" });
  for (const path of [analyses, `${analyses}/${analysis.id}/logs`]) await client.list(path);
  await client.get(`${analyses}/${analysis.id}`);
  const receiver = { name: "ops", description: "", type: "SLACK", send_resolved: true };
  const owned = { organization_id: root.split("/").at(-1), ...receiver };
  const { id } = await client.post("/alert-receivers", { ...owned, webhook_url: "https://x.example" });
  await client.list(`${root}/alert-receivers`);
  await client.get(`/alert-receivers/${id}`);
  await client.put(`/alert-receivers/${id}`, receiver);
  await client.delete(`/alert-receivers/${id}`);
  const webhook = { target_url: "http://127.0.0.1:9/", events: ["DEPLOYMENT_FAILED"] };
  const { id: webhookId } = await client.post(`${root}/webhook`, webhook);
  await client.list(`${root}/webhook/${webhookId}/event`);
}
