import type { Client } from "../fixtures/client.ts";

/** What the API description does not have and clients use all the same: alert receivers. */
export async function everyFurtherOperation(client: Client, root: string): Promise<void> {
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
