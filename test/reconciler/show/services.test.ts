import { expect, test } from "vitest";
import { chooseServices, readDeploymentStatuses } from "../../../core/deployments/index.ts";
import { parsePattern } from "../../../core/index.ts";
import { encodeDeploymentStatus } from "../../../core/outputs/forms/index.ts";
import { LiveStore } from "../../../core/state/live/index.ts";
import type { ServiceStatus } from "../../../reconciler/show/status-form.ts";
import { shop } from "../../fixtures/manifests.ts";
import { type Bench, startBench } from "../fixture.ts";
import { showPage } from "./page-fixture.ts";

const container = (name: string, tag: string, more = "") => `---
kind: Container
environment: shop/staging
name: ${name}
registry: docker-hub
image_name: acme/${name}
tag: "${tag}"
${more}
`;
const isPublic = "ports: [{ internal_port: 8080, publicly_accessible: true }]";
const web = container("web", "1.4.2", isPublic);

/** What the page shows after a cycle, and the requests of the cycle for addresses. */
async function read(bench: Bench, attention?: "person" | "program" | "deployment") {
  const page = await showPage();
  page.console = "https://console.example.com/o/{organization}/p/{project}/e/{environment}/s/{service}/logs";
  bench.clock.advance(61_000);
  await bench.server.advance(61_000);
  if (attention) bench.rateBudget.attend(attention);
  const { end, requests } = await bench.cycle();
  await page.ended(end);
  const status = JSON.parse((await page.get("/status.json")).text) as ServiceStatus;
  const { text } = await page.get("/");
  return {
    text: text.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " "),
    html: text,
    environment: status.environments.find(({ name }) => name === "shop/staging"),
    links: requests.filter((request) => request.endsWith("/link")).length,
  };
}

test("a synced environment shows what the status command shows of each service, and no cycle sends a request for it", async () => {
  const bench = await startBench({ deploy: true });
  bench.repository.push({ "infra/shop.yaml": shop + web + container("worker", "7") });
  await bench.cycle();
  const { environment, text, html, links } = await read(bench);
  expect(links).toBe(0);
  // With few environments, nobody has to open them.
  expect(html).toMatch(/<details id="card-shop.staging" +open>/);
  expect(environment).toMatchObject({ state: "synced" });
  const { server } = bench;
  const reader = { client: server.client, live: new LiveStore() };
  const choices = await chooseServices(reader, server.organization, [parsePattern("shop/staging")]);
  const { statuses } = await readDeploymentStatuses(reader, server.organization.id, choices);
  const services = statuses
    .flatMap((status) => encodeDeploymentStatus(status).services)
    .map(({ urls, ...service }) => ({ ...service, ...(urls?.length === 0 && { urls }) }));
  expect(services.map(({ state, version }) => [state, version])).toEqual([
    ["DEPLOYED", "1.4.2"],
    ["DEPLOYED", "7"],
  ]);
  expect(environment?.services).toMatchObject(services);
  expect(text).toMatch(
    /web Container DEPLOYED 1\.4\.2 \d+ s ago not read worker Container DEPLOYED 7 \d+ s ago/,
  );
  const [service] = environment?.services ?? [];
  expect(service?.console_url).toMatch(
    new RegExp(
      `^https://console.example.com/o/${server.organization.id}/p/[-0-9a-f]{36}/e/[-0-9a-f]{36}/s/${service?.id}/logs$`,
    ),
  );
  expect(environment?.console_url).toMatch(/\/e\/[-0-9a-f]{36}$/);
});

test("while somebody looks, the addresses of public services are read, each once and at most 20 in a cycle", async () => {
  const bench = await startBench();
  const services = Array.from({ length: 25 }, (_, index) => container(`web-${10 + index}`, "1", isPublic));
  bench.repository.push({ "infra/shop.yaml": shop + services.join("") + container("worker", "7") });
  await bench.cycle();
  expect((await read(bench)).links).toBe(0);
  const links: number[] = [];
  for (let cycle = 0; cycle < 3; cycle += 1) links.push((await read(bench, "person")).links);
  expect(links).toEqual([20, 5, 0]);
  const { environment, html } = await read(bench);
  const urls = environment?.services.map((service) => service.urls?.length);
  expect(urls).toEqual([...Array<number>(25).fill(1), 0]);
  expect(html).toContain(`<a href="${environment?.services[0]?.urls?.[0]}">`);
  bench.repository.push({ "infra/shop.yaml": shop + services.join("") + container("late", "7", isPublic) });
  await bench.cycle();
  for (const by of ["deployment", "program"] as const) expect((await read(bench, by)).links).toBe(0);
});

test("services whose addresses cannot be read come last, and keep no other from being read", async () => {
  const bench = await startBench();
  const services = Array.from({ length: 25 }, (_, index) => container(`web-${10 + index}`, "1", isPublic));
  bench.repository.push({ "infra/shop.yaml": shop + services.join("") });
  await bench.cycle();
  const faults = (all: object[]) => bench.server.api("POST", "/_emulator/faults", all);
  for (let index = 0; index < 20; index += 1) {
    const id = await bench.server.idOf(`shop/staging/CONTAINER web-${10 + index}`);
    await faults([{ method: "GET", path: `/container/${id}/link`, status: 403, times: 1000 }]);
  }
  await read(bench, "person");
  const { environment } = await read(bench, "person");
  const urls = environment?.services.map((service) => service.urls?.length);
  expect(urls).toEqual([...Array<undefined>(20), ...Array<number>(5).fill(1)]);
});

test("only who opens a page looks at addresses: a program that polls the state does not", async () => {
  const page = await showPage();
  await page.get("/status.json");
  expect(page.looks).toEqual(["program"]);
  await page.get("/");
  expect(page.looks).toEqual(["program", "person"]);
});

test("a service whose version differs from the manifests, and one without a document, are shown as they are", async () => {
  const bench = await startBench();
  bench.repository.push({ "infra/shop.yaml": shop + web });
  await bench.cycle();
  await bench.server.reconcile(shop + container("web", "1.5.0", isPublic) + container("stray", "3"));
  const { environment, text } = await read(bench);
  expect(environment).toMatchObject({
    state: "drift",
    services: [
      { address: "container:shop/staging/stray", version: "3" },
      { address: "container:shop/staging/web", version: "1.5.0", declared_version: "1.4.2" },
    ],
  });
  expect(text).toContain("stray Container READY 3 never deployed unmanaged");
  expect(text).toContain("web Container READY 1.5.0 manifests say 1.4.2 never deployed not read");
});
