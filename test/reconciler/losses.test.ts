import { expect, test } from "vitest";
import type { Fields } from "../../core/values/json.ts";
import { application, job, shop } from "../fixtures/manifests.ts";
import { type Bench, startBench } from "./fixture.ts";

const volume = (mount: string, size: number) => ({ mount_point: mount, size, type: "FAST_SSD" });

async function applicationOf({ server }: Bench): Promise<Fields> {
  return (await server.everything()).get("shop/staging/APPLICATION api") ?? {};
}

/** Somebody changes the volumes of the application by hand. */
async function edit(bench: Bench, change: (volumes: Fields[]) => Fields[]): Promise<void> {
  const { server } = bench;
  const live = await applicationOf(bench);
  const storage = change(live["storage"] as Fields[]);
  await server.api("PUT", `/application/${String(live["id"])}`, { ...live, storage });
}

const points = async (bench: Bench) =>
  ((await applicationOf(bench))["storage"] as Fields[]).map(
    (each) => `${each["mount_point"]} ${each["size"]}`,
  );

test("a volume that somebody has added waits for a consent, and the rest of the drift is undone", async () => {
  const bench = await startBench({}, "admin", { onDrift: "apply" });
  const api = application("api", "storage: [{ mount_point: /data, size: 1, type: FAST_SSD }]");
  bench.repository.push({ "infra/shop.yaml": shop + api + job("a", "cpu: 500") });
  await bench.cycle();
  await edit(bench, (volumes) => [...volumes, volume("/uploads", 50)]);
  await bench.server.reconcile(shop + job("a", "cpu: 750"));

  const { end } = await bench.cycle();
  expect(end).toMatchObject({
    type: "blocked",
    problems: [
      {
        code: "loss",
        message:
          "application:shop/staging/api would lose the volume /uploads (50 GiB), which cannot be restored",
        remedies: [{ consent: "replace", declared: expect.stringMatching(/^replace-\w{16}$/) }],
      },
    ],
    outcomes: [{ id: "update job:shop/staging/a", status: "done" }],
    changes: [{ address: "application:shop/staging/api" }],
  });
  expect(await points(bench)).toEqual(["/data 1", "/uploads 50"]);
  expect((await bench.cycle()).end).toMatchObject({ type: "blocked", outcomes: [] });

  // The consent in git is to this loss, and to no other.
  const [problem] = "problems" in end ? end.problems : [];
  const [remedy] = problem?.remedies ?? [];
  const consent = remedy && "declared" in remedy ? remedy.declared : "";
  const agreed = `${api}manage: { consent: ${consent} }`;
  await edit(bench, (volumes) => [...volumes, volume("/more", 1)]);
  bench.repository.push({ "infra/shop.yaml": shop + agreed + job("a", "cpu: 500") });
  expect((await bench.cycle()).end).toMatchObject({ type: "blocked", problems: [{ code: "loss" }] });
  await edit(bench, (volumes) => volumes.filter((each) => each["mount_point"] !== "/more"));
  await bench.cycle();
  expect(await points(bench)).toEqual(["/data 1"]);
});

test("a commit that takes storage waits for a consent", async () => {
  const bench = await startBench();
  const at = (storage: string) => shop + application("api", `storage: [${storage}]`);
  bench.repository.push({ "infra/shop.yaml": at("{ mount_point: /data, size: 50, type: FAST_SSD }") });
  await bench.cycle();
  for (const [storage, what] of [
    ["", "the volume /data (50 GiB)"],
    ["{ mount_point: /data, size: 10, type: FAST_SSD }", "part of the volume /data (50 GiB -> 10 GiB)"],
  ] as const) {
    bench.repository.push({ "infra/shop.yaml": at(storage) });
    expect((await bench.cycle()).end).toMatchObject({
      type: "blocked",
      problems: [{ code: "loss", message: expect.stringContaining(what) }],
    });
    expect(await points(bench)).toEqual(["/data 50"]);
  }
});
