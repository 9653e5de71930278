import { expect, onTestFinished, test } from "vitest";
import type { Fields } from "../../../core/values/json.ts";
import { Lifecycle } from "../../../provider/lifecycle/lifecycle.ts";
import { Hostile } from "../../fixtures/hostile-server.ts";
import { useStaging } from "./staging.ts";

const staging = useStaging();

test("an update sends nothing while a reading lacks what the state of the stack has", async () => {
  const { url, tokens } = staging.server.emulator;
  let isHidden = false;
  const hostile = await Hostile.open(url, async ({ method, path, pass }) => {
    if (!isHidden || method !== "GET" || !/^\/application\/[^/]+$/.test(path)) return undefined;
    const { status, body } = await pass();
    const { storage: _storage, ...others } = JSON.parse(body) as Fields;
    return { status, body: JSON.stringify(others) };
  });
  onTestFinished(() => hostile[Symbol.asyncDispose]());
  const values: Record<string, string> = {
    "infrasync:baseUrl": hostile.url,
    "infrasync:token": tokens.admin,
  };
  const config = { get: (key: string) => values[key] };
  const lifecycle = new Lifecycle({}, () => undefined);
  const { id, outs: made } = await lifecycle.create("Application", staging.api(), config);
  const storage = [{ type: "FAST_SSD", size: 20, mount_point: "/data" }];
  const live = async () => staging.server.api("GET", `/application/${id}`);
  await staging.server.api("PUT", `/application/${id}`, { ...((await live()) as Fields), storage });
  const { props: outs } = await new Lifecycle({}, () => undefined).read("Application", id, made, config);
  const desired = { ...staging.api(), cpu: 750 };
  isHidden = true;
  await expect(lifecycle.update("Application", id, outs, desired, config)).rejects.toThrow(
    /^nothing was sent: a new read of the Application lacks values that the plan saw, in storage, and the request would delete these values; run `pulumi refresh`, then `pulumi up`$/,
  );
  expect(await live()).toMatchObject({ cpu: 500, storage: [{ size: 20 }] });
  isHidden = false;
  await lifecycle.update("Application", id, outs, desired, config);
  expect(await live()).toMatchObject({ cpu: 750, storage: [{ size: 20 }] });
});
