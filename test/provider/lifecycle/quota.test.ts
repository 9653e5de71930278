import { expect, test, vi } from "vitest";
import { useStaging } from "./staging.ts";

const staging = useStaging();
const { pass, nightly } = staging;

/** A server that refuses one creation with 429, with the time until the reset. */
const limited = { method: "POST", path: "/environment/*/job", status: 429, times: 1 };

test("a run waits for the quota and reports the wait", async () => {
  const said = vi.spyOn(console, "error").mockReturnValue();
  await staging.server.api("POST", "/_emulator/faults", [{ ...limited, headers: { "retry-after": "1" } }]);
  const { initErrors } = await (await pass()).create("Job", nightly());
  expect(initErrors).toEqual([]);
  expect(said.mock.calls).toEqual([
    [
      expect.stringMatching(
        /^The server takes no requests for a while \(429\); continuing in \d+ s, at \d\d:\d\d:\d\d UTC$/,
      ),
      false,
    ],
  ]);
  said.mockRestore();
});

test("onQuota fail ends the run, and the next run continues", async () => {
  await staging.server.api("POST", "/_emulator/faults", [{ ...limited, headers: { "retry-after": "60" } }]);
  const failing = await pass({ "infrasync:onQuota": "fail" });
  await expect(failing.create("Job", nightly())).rejects.toThrow(
    /was not carried out: the server takes no requests for a while \(429\) and asks to wait until \S+; run `pulumi up` again later, or let the provider wait: set infrasync:onQuota \(or INFRASYNC_ON_QUOTA\) to wait$/,
  );
  expect(await staging.services()).toEqual([]);
  await (await pass()).create("Job", nightly());
  expect(await staging.services()).toHaveLength(1);
});
