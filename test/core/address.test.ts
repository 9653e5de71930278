import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  addressKey,
  describeAddress,
  formatAddress,
  parseAddress,
  parseReference,
} from "../../core/address.ts";
import { environment } from "../../core/kinds/environment.ts";
import { job } from "../../core/kinds/job.ts";
import { parsePattern } from "../../core/pattern.ts";

describe("addresses", () => {
  test("in prose and in flags", () => {
    const address = { kind: job, names: ["shop", "staging", "a/b"] };
    expect(describeAddress(address)).toBe("Job shop/staging/a%2Fb");
    expect(formatAddress(address)).toBe("job:shop/staging/a%2Fb");
    expect(parseReference("shop/staging/a%2fb")).toEqual(["shop", "staging", "a/b"]);
  });

  test("names are case insensitive", () => {
    expect(addressKey({ kind: environment, names: ["Shop", "STAGING"] })).toBe("environment:shop/staging");
  });

  test("any name survives being written and read", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ minLength: 1, unit: fc.constantFrom("%", "2", "5", "F", "f", "/", "a", ":") }), {
          minLength: 3,
          maxLength: 3,
        }),
        (names) => {
          expect(parseAddress(formatAddress({ kind: job, names }))?.names).toEqual(names);
        },
      ),
    );
  });

  test.each(["", "job", "job:", "job:a/b", "job:a/b/c/d", "task:a/b/c", "job:a//c"])("%j is none", (text) => {
    expect(parseAddress(text)).toBeUndefined();
  });
});

describe("patterns", () => {
  const addresses = [
    "environment:shop/staging",
    "job:shop/staging/nightly",
    "job:shop/staging/nightly-2",
    "application:Shop/production/api",
  ];
  test.each([
    ["job:shop/staging/nightly-*", ["job:shop/staging/nightly-2"]],
    ["shop/staging/*", ["job:shop/staging/nightly", "job:shop/staging/nightly-2"]],
    [
      "shop/staging/**",
      ["environment:shop/staging", "job:shop/staging/nightly", "job:shop/staging/nightly-2"],
    ],
    ["shop/staging", ["environment:shop/staging"]],
    ["SHOP/*/API", ["application:Shop/production/api"]],
    ["**", addresses],
    ["application:**", ["application:Shop/production/api"]],
    ["job:nothing", []],
  ])("%s", (text, chosen) => {
    const pattern = parsePattern(text);
    expect(addresses.filter((address) => pattern.matches(address))).toEqual(chosen);
  });
});
