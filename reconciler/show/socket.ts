import { chmod, lstat, mkdir, unlink } from "node:fs/promises";
import { userInfo } from "node:os";
import { join } from "node:path";
import { fastify, type FastifyReply, type FastifyRequest } from "fastify";
import { makeOwnFolder } from "../../core/files/files.ts";
import { isFields, textIn } from "../../core/values/json.ts";
import { identityOfUser } from "../identity.ts";
import { type Control, refused } from "./control.ts";
import { answerFailures, boundConnections, fastifyLimits } from "../listener.ts";
import { shortPath } from "../short-path.ts";
import { codeOf } from "../../core/values/error-code.ts";

const folderName = "control";
const socketName = "service.sock";

export interface ServedSocket {
  /** Whether nobody has removed it. */
  isThere(): Promise<boolean>;
  close(): Promise<void>;
}

/** Takes requests at a socket in the locked data folder, which only its user and the superuser can reach. @param sourceOf one of many sources */
export async function serveSocket(
  data: string,
  service: Control,
  sourceOf: (name: string) => Control | undefined = () => undefined,
  onError: (error: unknown) => void = () => undefined,
): Promise<ServedSocket> {
  const folder = join(data, folderName);
  await makeOwnFolder(data);
  await mkdir(folder, { mode: 0o700 }).catch((error: unknown) => {
    if (codeOf(error) !== "EEXIST") throw error;
  });
  await refuseOthers(folder);
  const place = await shortPath(folder);
  const path = join(place.path, socketName);
  // Left by a killed process: no other process works with this folder.
  await unlink(path).catch(() => undefined);
  const who = identityOfUser(userInfo().username);
  const app = fastify(fastifyLimits);
  boundConnections(app.server);
  answerFailures(app, onError, (_request, reply, status, message) => reply.code(status).send({ message }));
  const answer = async (
    its: Control,
    { method, body: request, query }: FastifyRequest,
    reply: FastifyReply,
  ) => {
    const { status, body } = await its(
      method === "POST"
        ? { type: "request", request, who, from: "the socket" }
        : { type: "status", contains: containedIn(query) },
    );
    return reply.code(status).send(body);
  };
  app.get("/status.json", (request, reply) => answer(service, request, reply));
  app.post("/requests", (request, reply) => answer(service, request, reply));
  app.route({
    method: ["GET", "POST"],
    url: "/sources/:name/*",
    handler(request, reply) {
      const { name } = request.params as { name: string };
      const none = async () => refused(409, `no source ${name} runs at this service`);
      return answer(sourceOf(name) ?? none, request, reply);
    },
  });
  await app.listen({ path });
  await chmod(path, 0o600);
  app.server.unref();
  return {
    isThere: () =>
      lstat(join(folder, socketName)).then(
        () => true,
        () => false,
      ),
    async close() {
      await app.close();
      await place.handle?.close();
    },
  };
}

/** The commit in a query. */
export function containedIn(query: unknown): string | undefined {
  return isFields(query) ? textIn(query, "contains") : undefined;
}

/** The path of the socket of a service, to be closed; undefined: there is none. @throws Error when it is somebody else's */
export async function findSocket(
  data: string,
): Promise<{ path: string; close(): Promise<void> } | undefined> {
  const folder = join(data, folderName);
  if (!(await lstat(join(folder, socketName)).catch(() => undefined))) return undefined;
  await refuseOthers(folder);
  const { path, handle } = await shortPath(folder);
  return { path: join(path, socketName), close: async () => handle?.close() };
}

/** Refuses a folder that is a link, or that belongs to somebody else. The superuser may use that of the service. */
async function refuseOthers(folder: string): Promise<void> {
  const stats = await lstat(folder);
  const own = process.getuid?.();
  const isOwn = own === undefined || own === 0 || stats.uid === own;
  if (!stats.isDirectory() || !isOwn || (stats.mode & 0o077) !== 0)
    throw new Error(`${folder} is not a folder that belongs to this user alone`);
}
