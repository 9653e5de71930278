import { beforeEach, expect, onTestFinished, test } from "vitest";
import type { Fields } from "../../../../core/values/json.ts";
import { parsePattern } from "../../../../core/model/addresses/pattern.ts";
import { desiredOf } from "../../../fixtures/desired.ts";
import { Harness, summary } from "../../../fixtures/harness.ts";
import { application, shop } from "../../../fixtures/manifests.ts";

let server: Harness;

beforeEach(async () => {
  server = await Harness.start();
  onTestFinished(() => server[Symbol.asyncDispose]());
});

const api = (domains: string, more = "") => application("api", `custom_domains: ${domains}\n${more}`);

async function domainsOf(name: string): Promise<Record<string, Fields>> {
  const id = await server.idOf(`shop/staging/APPLICATION ${name}`);
  const entries = await server.results(`/application/${id}/customDomain`);
  return Object.fromEntries(
    entries.map(({ domain, generate_certificate, use_cdn }) => [
      String(domain),
      { generate_certificate, use_cdn } as Fields,
    ]),
  );
}

test("custom domains are written with their service, changed, removed, and otherwise left alone", async () => {
  await server.reconcile(shop + api("{ a.example.com: {}, b.example.com: { use_cdn: true } }"));
  expect(await domainsOf("api")).toEqual({
    "a.example.com": { generate_certificate: true, use_cdn: false },
    "b.example.com": { generate_certificate: true, use_cdn: true },
  });
  const text =
    shop + api("{ a.example.com: { generate_certificate: false }, b.example.com: null, c.example.com: {} }");
  const plan = await server.plan(text);
  const update = plan.actions.find(({ type }) => type === "update");
  expect(update?.type === "update" && update.changes).toEqual([
    { path: ["custom_domains", "a.example.com", "generate_certificate"], before: true, after: false },
    { path: ["custom_domains", "b.example.com"], before: { generate_certificate: true, use_cdn: true } },
    { path: ["custom_domains", "c.example.com"], after: {} },
  ]);
  await server.apply(plan);
  const left = {
    "a.example.com": { generate_certificate: false, use_cdn: false },
    "c.example.com": { generate_certificate: true, use_cdn: false },
  };
  expect(await domainsOf("api")).toEqual(left);
  expect(summary(await server.plan(text))).toEqual([]);
  expect(summary(await server.plan(shop + api("{ c.example.com: {} }")))).toEqual([]);
});

test("a plan reads the custom domains only of services whose documents declare some", async () => {
  const text = shop + api("{ a.example.com: {} }") + application("other");
  await server.reconcile(text);
  await server.forgetRequests();
  expect(summary(await server.plan(text))).toEqual([]);
  expect((await server.seen()).map(({ path }) => path.split("/").at(-1)).toSorted()).toEqual([
    "customDomain",
    "environment",
    "project",
    "services",
  ]);
});

test("one update is one request for each custom domain, and the plan says so", async () => {
  await server.reconcile(shop + api("{ a.example.com: {} }"));
  const plan = await server.plan(shop + api("{ a.example.com: { use_cdn: true }, b.example.com: {} }"));
  await server.forgetRequests();
  await server.apply(plan);
  const seen = await server.seen();
  expect(seen.map(({ method }) => method)).toEqual(["GET", "PUT", "POST"]);
});

test("a clone has none of the domains of its source", async () => {
  const text = shop + api("{ a.example.com: {} }");
  await server.reconcile(text);
  const copy = `
---
kind: Application
environment: shop/staging
name: copy
clone: { from: shop/staging/api }
custom_domains: { b.example.com: {} }
`;
  await server.reconcile(text + copy);
  expect(Object.keys(await domainsOf("api"))).toEqual(["a.example.com"]);
  expect(Object.keys(await domainsOf("copy"))).toEqual(["b.example.com"]);
  expect(summary(await server.plan(text + copy))).toEqual([]);
});

test("one domain of two services is refused at the second place, before any request", async () => {
  await server.forgetRequests();
  const { problems } = desiredOf(
    shop +
      api("{ shop.example.com: {} }") +
      application("web", "custom_domains: { shop.example.com: {}, www.example.com: {} }") +
      application("old", "custom_domains: { shop.example.com: null }"),
  );
  expect(problems).toMatchObject([
    {
      code: "duplicate",
      address: "application:shop/staging/web",
      message: expect.stringMatching(
        /^the custom domain shop\.example\.com is declared twice: for Application shop\/staging\/web, and at .*:\d+:\d+ for Application shop\/staging\/api$/,
      ),
      position: { line: expect.any(Number) },
    },
  ]);
  expect(await server.seen()).toEqual([]);
});

test("a domain with dots can be ignored", async () => {
  const text = (cdn: boolean) =>
    shop +
    api(`{ a.example.com: { use_cdn: ${cdn} } }`, "manage: { ignore: [custom_domains.a.example.com] }");
  await server.reconcile(text(false));
  expect(summary(await server.plan(text(true)))).toEqual([]);
});

test("a text that cannot be a domain is refused", () => {
  const problemsOf = (domain: string) =>
    desiredOf(shop + api(`{ "${domain}": {} }`)).problems.map(
      ({ message, advice }) => `${message}; ${advice}`,
    );
  expect(problemsOf("https://shop.example.com")[0]).toMatch(
    /custom_domains: "https:\/\/shop\.example\.com" cannot be a domain; write a domain such as shop\.example\.com/,
  );
  for (const domain of ["Shop.example.com", "shop", "-a.example.com", "shop.example.com/path"])
    expect(problemsOf(domain)).toHaveLength(1);
  for (const domain of ["*.example.com", "a_b.example.com", "xn--bcher-kva.example"])
    expect(problemsOf(domain)).toEqual([]);
});

/** The domains that plans say lead elsewhere. */
const ledElsewhere = ({ notes }: Awaited<ReturnType<Harness["plan"]>>) =>
  notes.flatMap(({ code, message }) => (code === "doubtful_value" ? [message] : []));

test("a new domain that a service anywhere in the organization has is told, also to a plan of one target and to a copy", async () => {
  const other = (shop + application("web", "custom_domains: { taken.example.com: {} }")).replaceAll(
    "shop",
    "store",
  );
  await server.reconcile(other);
  await server.reconcile(shop + api("{ own.example.com: {} }") + application("second"));
  const reported = ["the custom domain taken.example.com leads to Application store/staging/web"];
  const text = shop + api("{ own.example.com: {}, taken.example.com: {} }");
  const plan = await server.plan(text);
  expect(ledElsewhere(plan)).toEqual(reported);
  expect(
    ledElsewhere(await server.plan(text, { targets: [parsePattern("application:shop/staging/api")] })),
  ).toEqual(reported);
  const copy = application(
    "copy",
    "custom_domains: { taken.example.com: {}, own.example.com: {} }\nclone: { from: shop/staging/api }",
  );
  expect(ledElsewhere(await server.plan(copy)).toSorted()).toEqual([
    "the custom domain own.example.com leads to Application shop/staging/api",
    ...reported,
  ]);
});

test("a plan without a new domain reads nothing for it, and one with a new one reads at most 50 lists, and says what it has not read", async () => {
  const names = Array.from({ length: 60 }, (_, index) => `s${index}`);
  await server.reconcile(
    shop + api("{ own.example.com: {} }") + names.map((name) => application(name)).join(""),
  );
  const listsOf = async (text: string) => {
    await server.forgetRequests();
    const plan = await server.plan(text);
    const lists = (await server.seen()).filter(({ path }) => path.endsWith("/customDomain"));
    return { plan, lists: lists.length };
  };
  const same = await listsOf(shop + api("{ own.example.com: {} }"));
  const added = await listsOf(shop + api("{ own.example.com: {}, new.example.com: {} }"));
  expect([same.lists, added.lists]).toEqual([1, 51]);
  const unread = ({ plan: { unread: all = [] } }: typeof added) =>
    all.filter(({ sort, address }) => sort === "custom domains" && address.names[2] !== "api").length;
  expect([unread(same), unread(added)]).toEqual([0, 10]);
});

test("a domain that another service has is refused before the service loses the one that it has", async () => {
  await server.reconcile(
    shop + api("{ a.example.com: {} }") + application("web", "custom_domains: { b.example.com: {} }"),
  );
  const text = shop + api("{ a.example.com: null, b.example.com: {} }");
  await expect(server.reconcile(text)).rejects.toThrow(
    "the custom domain b.example.com belongs to the Application",
  );
  expect(Object.keys(await domainsOf("api"))).toEqual(["a.example.com"]);
});

test("a service that is replaced with its environment is refused a new domain that another one has, wherever that is", async () => {
  await server.reconcile(
    (shop + application("web", "custom_domains: { taken.example.com: {} }")).replaceAll("shop", "store"),
  );
  await server.reconcile(shop + api("{ own.example.com: {} }"));
  const replaced = (domains: string) =>
    server.plan(shop.replace(/cluster: \S+/, "cluster: us-east") + api(domains));
  const refusals = async (domains: string) =>
    (await replaced(domains)).problems.flatMap(({ code, message, advice }) =>
      code === "impossible" ? [`${message}; ${advice}`] : [],
    );
  expect(await refusals("{ own.example.com: {} }")).toEqual([]);
  expect(await refusals("{ own.example.com: {}, taken.example.com: {} }")).toEqual([
    "Application shop/staging/api: the custom domain taken.example.com leads to Application store/staging/web; remove it there first",
  ]);
  expect(await refusals("{ own.example.com: {}, free.example.com: {} }")).toEqual([]);
  // It reads all lists, because unknown holders forbid it.
  const others = Array.from({ length: 60 }, (_, index) => application(`s${index}`)).join("");
  const last = application("zz", "custom_domains: { late.example.com: {} }");
  await server.reconcile((shop + others + last).replaceAll("shop", "many"));
  expect(await refusals("{ own.example.com: {}, late.example.com: {} }")).toEqual([
    "Application shop/staging/api: the custom domain late.example.com leads to Application many/staging/zz; remove it there first",
  ]);
});
