import { expect, test } from "vitest";
import { chosenFrontEnds } from "./front-ends.ts";
import { program, start } from "./shop.ts";

test.for(chosenFrontEnds)(
  "$name: a creation with an unknown outcome stays in the state, and is never repeated blindly",
  async (frontEnd, context) => {
    const project = program('new Project("shop", { name: "shop" });');
    const { server, stack } = await start(context, project, {}, frontEnd);
    const path = "/organization/*/project";
    const faults = [
      // The server carries out the request, and the response is lost.
      { method: "POST", path, drop: "after", times: 1 },
      { method: "GET", path, status: 403, after: 1 },
    ];
    await server.api("POST", "/_emulator/faults", faults);
    await stack.up();
    await server.api("DELETE", "/_emulator/faults");
    const early = await stack.destroy();
    expect(early.errors.join("\n")).toContain("run `pulumi refresh` to add it to the state");
    expect(await stack.refresh()).toMatchObject({ exitCode: 0, errors: [] });
    expect(await stack.up()).toMatchObject({ exitCode: 0, errors: [], steps: ["update Project shop"] });
    const [[name, live] = []] = [...(await server.everything())];
    expect(name).toBe("shop");
    expect((await stack.export()).resources).toMatchObject([{ id: live?.["id"] }]);
    expect(await stack.destroy()).toMatchObject({ exitCode: 0, errors: [] });
    expect((await server.everything()).size).toBe(0);
  },
);
