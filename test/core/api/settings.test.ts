import { describe, expect, test } from "vitest";
import { ClientSettingsError, createClient, authorization, checkedBaseUrl } from "../../../core/api/index.ts";
import { json, serveReplies } from "../../fixtures/http-server.ts";

describe("base URLs", () => {
  const usable: [baseUrl: string, expected: string][] = [
    ["https://api.example.com", "https://api.example.com"],
    ["https://api.example.com/", "https://api.example.com"],
    ["https://api.example.com:8443/infra/v1//", "https://api.example.com:8443/infra/v1"],
    ["http://localhost:8080", "http://localhost:8080"],
    ["http://127.0.0.1", "http://127.0.0.1"],
    ["http://127.8.9.10/", "http://127.8.9.10"],
    ["http://[::1]:80/", "http://[::1]"],
  ];
  test.each(usable)("%s is accepted", (baseUrl, expected) => {
    expect(checkedBaseUrl({ baseUrl })).toBe(expected);
  });

  const refused: [baseUrl: string, message: RegExp][] = [
    ["", /not a URL of http or https/],
    ["api.example.com", /not a URL of http or https/],
    ["ftp://api.example.com", /not a URL of http or https/],
    ["https://user:secret@api.example.com", /has a user, a query or a fragment/],
    ["https://api.example.com?token=secret", /has a user, a query or a fragment/],
    ["https://api.example.com#x", /has a user, a query or a fragment/],
    ["http://api.example.com", /plain http/],
    ["http://10.0.0.1", /plain http/],
    ["http://localhost.example.com", /plain http/],
    ["http://127.0.0.1.example.com", /plain http/],
    ["http://[::2]", /plain http/],
  ];
  test.each(refused)("%s is refused", (baseUrl, message) => {
    const make = () => createClient({ baseUrl, token: "t", onQuota: "fail" });
    expect(make).toThrow(ClientSettingsError);
    expect(make).toThrow(message);
    expect(make).not.toThrow(/secret/);
  });

  test("plain http to another machine has a setting that allows it", () => {
    const help = { advice: "use https", remedies: [{ setting: "insecure_http" }] };
    expect(() => checkedBaseUrl({ baseUrl: "http://api.example.com" })).toThrow(
      expect.objectContaining(help),
    );
  });

  test("plain http to another machine is allowed by insecureHttp only", () => {
    const baseUrl = "http://api.example.com/x/";
    expect(checkedBaseUrl({ baseUrl, insecureHttp: true })).toBe("http://api.example.com/x");
  });

  test.each(["", "/", "/prefix", "/prefix/"])("a path is appended to %j", async (prefix) => {
    const { url, received } = await serveReplies(json(200, {}));
    await createClient({ baseUrl: url + prefix, token: "t", onQuota: "fail" }).get("/job/1", {
      page: 2,
      q: "a b&c",
    });
    expect(received.map((request) => request.url)).toEqual([
      `${prefix.replace(/\/$/, "")}/job/1?page=2&q=a+b%26c`,
    ]);
  });
});

describe("authorization", () => {
  const jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl";
  const cases: [token: string, scheme: "Token" | "Bearer" | undefined, expected: string][] = [
    ["abc", undefined, "Token abc"],
    ["abc", "Bearer", "Bearer abc"],
    ["a.b.c", undefined, "Token a.b.c"],
    [jwt, undefined, `Bearer ${jwt}`],
    [jwt, "Token", `Token ${jwt}`],
  ];
  test.each(cases)("%s with scheme %s", async (token, scheme, expected) => {
    const { url, received } = await serveReplies(json(200, {}));
    await createClient({ baseUrl: url, token, scheme, onQuota: "fail" }).get("/x");
    expect(received[0]?.headers).toMatchObject({
      authorization: expected,
      accept: "application/json",
      "user-agent": "infrasync",
    });
  });

  test.each(["", " ", "canary\n", "can ary", "canary\u0000", "canäry"])(
    "the token %j is refused",
    (token) => {
      const take = () => authorization({ token });
      expect(take).toThrow(ClientSettingsError);
      expect(take).not.toThrow(/can/);
    },
  );
});
