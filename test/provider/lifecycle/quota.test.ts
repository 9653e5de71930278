import { expect, test, vi } from "vitest";
import { useStaging } from "./staging.ts";

const staging = useStaging();
const { pass, nightly } = staging;

/** The server turns one creation away, and says for how long. */
const limited = { method: "POST", path: "/environment/*/job", status: 429, times: 1 };

test("a used-up quota is waited for, and that is said", async () => {
  const said = vi.spyOn(console, "error").mockReturnValue();
  await staging.server.api("POST", "/_emulator/faults", [{ ...limited, headers: { "retry-after": "1" } }]);
  const { initErrors } = await (await pass()).create("Job", nightly());
  expect(initErrors).toEqual([]);
  expect(said.mock.calls).toEqual([
    [expect.stringMatching(/^the request quota of the token is used up; continuing at \d\d:\d\d:\d\d UTC$/)],
  ]);
  said.mockRestore();
});

test("with onQuota fail it ends the run, which the next one goes on with", async () => {
  await staging.server.api("POST", "/_emulator/faults", [{ ...limited, headers: { "retry-after": "60" } }]);
  const failing = await pass({ "infrasync:onQuota": "fail" });
  await expect(failing.create("Job", nightly())).rejects.toThrow(
    /was not carried out: the quota of the token is used up until \S+; run `pulumi up` again later, or let the provider wait: set infrasync:onQuota \(or INFRASYNC_ON_QUOTA\) to wait$/,
  );
  expect(await staging.services()).toEqual([]);
  await (await pass()).create("Job", nightly());
  expect(await staging.services()).toHaveLength(1);
});
