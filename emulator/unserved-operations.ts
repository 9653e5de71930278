import { HttpError } from "./world/errors.ts";
import type { Method, Route } from "./http/routing.ts";
import groups from "./unserved.json" with { type: "json" };

/** The operations of the platform that are answered with 501, each with the reason: `unserved.json`. */
export const unserved: (Route & { name: string; because: string })[] = Object.entries(groups).flatMap(
  ([because, operations]) =>
    Object.entries(operations).map(([name, operation]) => {
      const [method, path = ""] = operation.split(" ") as [Method, string];
      const message = `the emulator does not serve ${name}: ${because}`;
      const run = () => {
        throw new HttpError(501, message);
      };
      return { method, path, name, because, status: 501, run };
    }),
);
