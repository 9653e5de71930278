import { expect, test } from "vitest";
import { UnfinishedError } from "../../../provider/lifecycle/errors.ts";
import { useStaging } from "./staging.ts";

const staging = useStaging();
const { pass, api } = staging;

async function domainsOf(id: string): Promise<string[]> {
  const entries = await staging.server.results(`/application/${id}/customDomain`);
  return entries.map(({ domain, use_cdn: cdn }) => `${String(domain)} ${String(cdn)}`).toSorted();
}

test("custom domains are written, changed and refreshed, and removed when the program no longer declares them", async () => {
  const customDomains = { "a.example.com": {}, "b.example.com": { useCdn: true } };
  const made = await (await pass()).create("Application", { ...api(), customDomains });
  expect(await domainsOf(made.id)).toEqual(["a.example.com false", "b.example.com true"]);
  const refreshed = (await (await pass()).refresh(made)) ?? made;
  expect((await (await pass()).up(refreshed, made.inputs)).step).toBe("same");
  const { step, entry } = await (
    await pass()
  ).up(refreshed, { ...api(), customDomains: { "a.example.com": { useCdn: true } } });
  expect(step).toBe("update");
  expect(await domainsOf(made.id)).toEqual(["a.example.com true"]);
  expect((await (await pass()).up(entry, entry.inputs)).step).toBe("same");
});

test("the state of the validation of stated domains is an output, and costs no request more", async () => {
  const first = await pass();
  await staging.server.forgetRequests();
  const made = await first.create("Application", { ...api(), customDomains: { "a.example.com": {} } });
  const requests = (await staging.server.seen()).filter(({ path }) => path.endsWith("/customDomain"));
  expect(requests.map(({ method }) => method)).toEqual(["POST"]);
  const [{ id, validation_domain: target } = {}] = await staging.server.results(
    `/application/${made.id}/customDomain`,
  );
  const pending = { "a.example.com": { status: "VALIDATION_PENDING", validationDomain: target } };
  expect(made.outputs["customDomainValidation"]).toEqual(pending);
  expect(id).toBeDefined();
  await staging.server.api("POST", `/application/${made.id}/customDomain`, {
    domain: "of-another.example.com",
    generate_certificate: true,
  });
  const refreshed = (await (await pass()).refresh(made)) ?? made;
  expect(refreshed).toEqual(made);
  const { entry } = await (await pass()).up(refreshed, api());
  expect(entry.outputs["customDomainValidation"]).toEqual({});
});

test("a text that cannot be a domain is reported by the check", async () => {
  await expect(
    (await pass()).create("Application", { ...api(), customDomains: { "https://a.example.com": {} } }),
  ).rejects.toThrow('"https://a.example.com" cannot be a domain');
});

test("a domain belongs to one resource of the program, however often the engine checks it", async () => {
  const customDomains = { "a.example.com": {} };
  const one = await pass();
  const made = await one.create("Application", { ...api(), customDomains });
  expect((await one.up(made, { ...made.inputs, cpu: 750 })).step).toBe("update");
  await expect(
    one.create("Application", {
      ...api(),
      name: "other",
      customDomains: { ...customDomains, "b.example.com": {} },
    }),
  ).rejects.toThrow("customDomains: another resource of this program has the custom domain a.example.com");
  // A later program may give it to another resource.
  const next = await pass();
  expect((await next.up(made, { ...made.inputs, customDomains: {} })).step).toBe("update");
  await next.create("Application", { ...api(), name: "other", customDomains });
});

test("an update whose new domain another resource keeps is in the state as far as it was made, and a program that is changed back sets it back", async () => {
  const domains = (name: string, domain: string, cpu: number) => ({
    ...api(),
    name,
    cpu,
    customDomains: { [domain]: {} },
  });
  const one = await (await pass()).create("Application", domains("one", "a.example.com", 500));
  await (await pass()).create("Application", domains("other", "b.example.com", 500));
  const news = domains("one", "b.example.com", 750);
  const error: unknown = await (await pass()).update(one, news).catch((thrown: unknown) => thrown);
  if (!(error instanceof UnfinishedError)) throw error;
  expect(error.message).toContain("the custom domain b.example.com belongs to");
  expect(await staging.server.api("GET", `/application/${one.id}`)).toMatchObject({ cpu: 750 });
  const half = { ...one, inputs: news, outputs: error.properties, initErrors: error.reasons };
  const { step, entry } = await (await pass()).up(half, one.inputs);
  expect(step).toBe("update");
  expect(await staging.server.api("GET", `/application/${one.id}`)).toMatchObject({ cpu: 500 });
  expect(await domainsOf(one.id)).toEqual(["a.example.com false"]);
  expect((await (await pass()).up(entry, one.inputs)).step).toBe("same");
});
