import { expect, test } from "vitest";
import { leftOutText } from "../../../../cli/render/skipped-items.ts";
import { dump } from "../../../../core/import/live/index.ts";
import { type Fields, isFields } from "../../../../core/values/json.ts";
import { formatManifest } from "../../../../core/manifests/manifest/index.ts";
import { parseAddress } from "../../../../core/index.ts";
import { job, shop } from "../../../fixtures/documents.ts";
import { summary } from "../../../fixtures/harness.ts";
import { useHarness } from "../../../fixtures/use-harness.ts";

const harness = useHarness();
const database = (name: string): Fields => ({
  kind: "Database",
  environment: "shop/staging",
  name,
  type: "POSTGRESQL",
  version: "16",
  mode: "CONTAINER",
});
const container: Fields = {
  kind: "Container",
  environment: "shop/staging",
  name: "worker",
  registry: "docker-hub",
  image_name: "acme/worker",
  tag: "1",
};
const text = (documents: readonly Fields[]) => documents.map((each) => JSON.stringify(each)).join("\n---\n");

async function dumped() {
  const project = parseAddress("project:shop");
  const { documents, leftOut } = await dump(harness.context(), harness.organization, project);
  const worker = documents.find(({ name }) => name === "worker")?.fields ?? {};
  return { documents, worker, reported: leftOut.map(({ type, why }) => `${type}: ${why}`).join("\n") };
}

/** The credentials that the API tells of a database. */
async function credentialsOf(name: string): Promise<{ host: string; port: number; password: string }> {
  const id = await harness.idOf(`shop/staging/DATABASE ${name}`);
  return (await harness.api("GET", `/database/${id}/masterCredentials`)) as never;
}

test("the password of a database in a variable is a secret in the dump, and another text with it is left out", async () => {
  await harness.reconcile(text([...shop, database("orders")]));
  const { password } = await credentialsOf("orders");
  const variables = { PGPASS: password, CONNECT: `pass:${password}@db`, LEVEL: "information" };
  await harness.reconcile(
    text([
      ...shop,
      database("orders"),
      job("shop/staging/worker", { variables, description: `x ${password}` }),
    ]),
  );
  const { documents, worker, reported } = await dumped();
  expect(JSON.stringify(worker)).not.toContain(password);
  expect(worker["variables"]).toMatchObject({ PGPASS: null, CONNECT: null, LEVEL: "information" });
  expect(Object.keys(isFields(worker["secrets"]) ? worker["secrets"] : {}).toSorted()).toEqual([
    "CONNECT",
    "PGPASS",
  ]);
  expect(reported).toContain("the password of database:shop/staging/orders");
  expect(reported).toContain(
    "description of Job: it looks like a credential (the password of database:shop/staging/orders)",
  );
  expect(documents).toHaveLength(4);
});

test("the password of a database in a variable of its project or environment is a secret in the dump; arguments with it are left out, and told", async () => {
  await harness.reconcile(text([...shop, database("orders")]));
  const { password } = await credentialsOf("orders");
  const variables = { PGPASS: password };
  const [project = {}, environment = {}, ...others] = shop;
  await harness.reconcile(
    text([
      { ...project, variables },
      { ...environment, variables },
      ...others,
      database("orders"),
      { ...container, arguments: ["--db", `x${password}`] },
    ]),
  );
  const { documents, worker } = await dumped();
  for (const kind of ["Project", "Environment"]) {
    const { fields = {} } = documents.find((each) => each.kind.name === kind) ?? {};
    expect(JSON.stringify(fields)).not.toContain(password);
    expect(fields).toMatchObject({ variables: { PGPASS: null }, secrets: { PGPASS: {} } });
  }
  expect(worker).not.toHaveProperty("arguments");
  const { leftOut } = await dump(harness.context(), harness.organization, parseAddress("project:shop"));
  expect(leftOut.map(leftOutText).find((each) => each.includes("arguments"))).toMatch(
    /^Left out: arguments of Container shop\/staging\/worker, because it looks like a credential \(the password of database:shop\/staging\/orders\), /,
  );
});

test("a host or an id of another resource inside a longer text is named, and the plan stays empty", async () => {
  await harness.reconcile(text([...shop, database("orders"), job("shop/staging/other")]));
  const { host, port } = await credentialsOf("orders");
  const id = await harness.idOf("shop/staging/JOB other");
  const variables = {
    JDBC: `jdbc:postgresql://${host}:${port}/x`,
    CALLS: `https://h/${id}/run`,
    OWN: "deadbeef",
  };
  await harness.reconcile(
    text([...shop, database("orders"), job("shop/staging/other"), job("shop/staging/worker", { variables })]),
  );
  const { documents, reported } = await dumped();
  expect(reported).toContain(
    "variables.JDBC of Job: the live text contains the id or a host of database:shop/staging/orders",
  );
  expect(reported).toContain(
    "variables.CALLS of Job: the live text contains the id or a host of job:shop/staging/other",
  );
  expect(reported).not.toContain("OWN");
  const plan = await harness.plan(documents.map((each) => formatManifest(each)).join("---\n"));
  expect(summary(plan)).toEqual([]);
});

test("a port is an output only where the key is about the database", async () => {
  await harness.reconcile(text([...shop, database("orders")]));
  const { port, host } = await credentialsOf("orders");
  const its = String(port);
  const variables = {
    METRICS_PORT: its,
    PORT: its,
    DB_PORT: its,
    ORDERS_PORT: its,
    MAIN_HOST: host,
    MAIN_PORT: its,
  };
  await harness.reconcile(text([...shop, database("orders"), job("shop/staging/worker", { variables })]));
  const of = { from: "database:orders", output: "port" };
  expect((await dumped()).worker["variables"]).toEqual({
    METRICS_PORT: its,
    PORT: its,
    DB_PORT: of,
    ORDERS_PORT: of,
    MAIN_HOST: { from: "database:orders", output: "host_internal" },
    MAIN_PORT: of,
  });
});

test("an empty entrypoint is another setting than none, and is kept", async () => {
  await harness.reconcile(text([...shop, { ...container, entrypoint: "" }]));
  const id = await harness.idOf("shop/staging/CONTAINER worker");
  expect(await harness.api("GET", `/container/${id}`)).toMatchObject({ entrypoint: "" });
  const { documents, worker } = await dumped();
  expect(worker).toMatchObject({ entrypoint: "" });
  const plan = await harness.plan(documents.map((each) => formatManifest(each)).join("---\n"));
  expect(summary(plan)).toEqual([]);
});

test.each(["https://anna:c4nary-pass@hooks.example.com/a", "https://hooks.example.com/a?token=c4nary-token"])(
  "a webhook that calls %s is written without its URL, which is named",
  async (target_url) => {
    const webhook = { kind: "Webhook", name: "deploys", type: "STANDARD", events: ["DEPLOYMENT_FAILURE"] };
    await harness.reconcile(text([{ ...webhook, target_url }]));
    const address = parseAddress("webhook:deploys");
    const { documents, leftOut } = await dump(harness.context(), harness.organization, address);
    expect(documents.map(formatManifest).join("")).not.toContain("c4nary");
    expect(leftOut.map(leftOutText)).toEqual([
      expect.stringMatching(/^Left out: target_url of Webhook deploys, because it looks like a credential/),
    ]);
    const plan = await harness.plan(documents.map((each) => formatManifest(each)).join("---\n"));
    expect(summary(plan)).toEqual([]);
  },
);

test("a webhook whose URL with a token is its name is left out, and no note shows the token", async () => {
  await harness.api("POST", `/organization/${harness.organization.id}/webhook`, {
    kind: "STANDARD",
    target_url: "https://hooks.example.com/a?token=c4nary-token",
    events: ["DEPLOYMENT_FAILURE"],
  });
  const { documents, leftOut } = await dump(harness.context(), harness.organization);
  expect(JSON.stringify([documents.map((each) => formatManifest(each)), leftOut])).not.toContain("c4nary");
  expect(leftOut.map(leftOutText).join("\n")).toMatch(/because its name looks like a credential \(/);
});
