import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  addressKey,
  describeAddress,
  formatAddress,
  parseAddress,
  parseAnyAddress,
  parseReference,
} from "../../../../core/model/addresses/address.ts";
import { environment } from "../../../../core/model/kinds/environment.ts";
import { job } from "../../../../core/model/kinds/job.ts";
import { parsePattern } from "../../../../core/model/addresses/pattern.ts";
import { IgnoreRules } from "../../../../core/source/ignore-files.ts";
import { globOf } from "../../../../reconciler/sources/index.ts";

describe("addresses", () => {
  test("are readable in messages and in flags", () => {
    const address = { kind: job, names: ["shop", "staging", "a/b"] };
    expect(describeAddress(address)).toBe("Job shop/staging/a%2Fb");
    expect(formatAddress(address)).toBe("job:shop/staging/a%2Fb");
    expect(parseReference("shop/staging/a%2fb")).toEqual(["shop", "staging", "a/b"]);
  });

  test("addresses ignore the case of names", () => {
    expect(addressKey({ kind: environment, names: ["Shop", "STAGING"] })).toBe("environment:shop/staging");
  });

  test("names in different Unicode normal forms are equal", () => {
    const [one, other] = ["caf\u00E9", "CAFE\u0301"].map((name) => ({ kind: job, names: ["a", "b", name] }));
    expect(one && addressKey(one)).toBe(other && addressKey(other));
    expect(parsePattern("job:a/b/cafe\u0301").matches({ kind: job, names: ["a", "b", "caf\u00E9"] })).toBe(
      true,
    );
    expect(parsePattern("job:a/b/caf\u00E9").matches({ kind: job, names: ["a", "b", "cafe\u0301"] })).toBe(
      true,
    );
  });

  test("formatting and parsing keeps any name", () => {
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

  test.each(["", "job", "job:", "job:a/b", "job:a/b/c/d", "tusk:a/b/c", "job:a//c"])(
    "%j is not an address",
    (text) => {
      expect(parseAddress(text)).toBeUndefined();
    },
  );
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
    ["job:*/*/nothing", []],
    ["**/nightly", ["job:shop/staging/nightly"]],
    ["shop/**/*-2", ["job:shop/staging/nightly-2"]],
    ["shop/stag**", ["environment:shop/staging"]],
    ["shop/{staging,production}/*", []],
    ["shop/staging/nightl?", []],
    ["!shop/production/*", []],
  ])("%s", (text, chosen) => {
    const pattern = parsePattern(text);
    expect(addresses.filter((address) => pattern.matches(parseAnyAddress(address)))).toEqual(chosen);
  });

  test("the address of a resource, and of its environment, is a pattern that selects the resource", () => {
    const name = fc.string({ minLength: 1, unit: fc.constantFrom(...String.raw`aB%/:.()[]{}!?+^$|\-`) });
    fc.assert(
      fc.property(fc.tuple(name, name, name), fc.boolean(), (names, whole) => {
        const address = formatAddress({ kind: job, names });
        const pattern = whole ? address : address.replace(/[^/]+$/, "**");
        expect(parsePattern(pattern).matches({ kind: job, names })).toBe(true);
      }),
    );
  });

  test("a pattern selects what its regular expression would, and one of many stars ends", () => {
    const part = fc.string({ minLength: 1, maxLength: 6, unit: fc.constantFrom("a", "b", "*") });
    const name = fc.string({ minLength: 1, maxLength: 8, unit: fc.constantFrom("a", "b") });
    fc.assert(
      fc.property(fc.tuple(part, part, part), fc.tuple(name, name, name), (parts, names) => {
        const text = `job:${parts.join("/")}`;
        const given = parts.map((each) =>
          each === "**" ? "(/[ab]+)*" : `/${each.replaceAll(/\*+/g, "[ab]*")}`,
        );
        const expected = new RegExp(`^${given.join("")}$`).test(`/${names.join("/")}`);
        expect(parsePattern(text).matches({ kind: job, names })).toBe(expected);
      }),
    );
    const stars = `${"*a".repeat(40)}*bc`;
    const names = ["shop", "staging", `${"a".repeat(250)}b`];
    expect(parsePattern(`job:shop/staging/${stars}`).matches({ kind: job, names })).toBe(false);
    expect(globOf(`teams/${stars}`).test(`teams/${names[2]}`)).toBe(false);
    const ignored = new IgnoreRules();
    ignored.add("", `${stars}\n`);
    expect([`${names[2]}.yaml`, `${names[2]}c`].map((file) => ignored.has(file))).toEqual([false, true]);
  });

  test.each([
    ["", "is not a pattern"],
    ["job:", "is not a pattern"],
    ["jop:shop/**", 'begins with "jop:", which is not a kind'],
    ["envy:shop/production", 'begins with "envy:", which is not a kind'],
    ["shop/", "has an empty name in it"],
    ["/shop", "has an empty name in it"],
    ["job:migrate", "has too few or too many names in it"],
    ["environment:shop/**/a/b", "has too few or too many names in it"],
    ["a/b/c/d/e", "has too few or too many names in it"],
  ])("the pattern %j selects nothing and is refused", (text, why) => {
    expect(() => parsePattern(text)).toThrow(`"${text}" ${why}`);
  });
});
