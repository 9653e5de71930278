import { expect, test } from "vitest";
import { SignIn } from "../../../reconciler/people/sign-in.ts";
import { html, type Reply, serveReplies, text } from "../../fixtures/http-server.ts";

test.each<[string, Reply, string]>([
  ["407", text(407, "who are you?"), "407, a proxy asks for a user and a password"],
  ["a page", html(403), "403, an HTML page of a proxy, a gateway or a firewall"],
])("a proxy that answers in place of the provider is blamed: %s", async (_name, reply, said) => {
  const { url } = await serveReplies(reply);
  const settings = {
    issuer: new URL(url),
    clientId: "page",
    url: "https://page.example.com",
    groupsClaim: "groups",
  };
  await expect(new SignIn(settings, async () => undefined, {}).begin()).rejects.toMatchObject({
    cause: { message: expect.stringContaining(said) },
  });
});
