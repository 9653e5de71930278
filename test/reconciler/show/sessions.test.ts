import Fastify from "fastify";
import { expect, test } from "vitest";
import { identityOfPerson } from "../../../reconciler/identity.ts";
import { addSessions } from "../../../reconciler/show/page/sessions.ts";
import { TestClock } from "../fixture.ts";

test("a session ends eight hours after the person has signed in, by the clock of the service", async () => {
  const clock = new TestClock();
  const app = Fastify();
  await addSessions(app, clock);
  const identity = identityOfPerson("https://id.example.com", "anna", "anna");
  app.get("/in", async ({ session }) => {
    session.identity = { type: "token", identity };
    return "in";
  });
  app.get("/", async ({ session }) => session.identity?.identity.name ?? "nobody");
  const entered = await app.inject("/in");
  const cookies = Object.fromEntries(entered.cookies.map(({ name, value }) => [name, value]));
  const who = async () => (await app.inject({ url: "/", cookies })).body;
  expect(await who()).toBe("anna");
  clock.advance(8 * 3_600_000 - 1);
  expect(await who()).toBe("anna");
  clock.advance(1);
  expect(await who()).toBe("nobody");
  await app.close();
});
