import type { Server, Socket } from "node:net";

/** The most bytes of the headers of a request: forges and browsers send less than half of it. */
const mostHeaderBytes = 8192;

/** How long whoever connects may take, in milliseconds: the same for all that listens. */
export const times = { headersTimeout: 10_000, requestTimeout: 30_000 };

/** The times and sizes of requests, for a server of node:http. */
export const requestLimits = { ...times, maxHeaderSize: mostHeaderBytes };

const most = { all: 500, address: 100 };

/**
 * Bounds the open connections of a server, of which each takes a descriptor that git needs too: a new one ends the oldest, of
 * its address or of all, and one that has sent no whole request before one that is answered. A client that opens many and
 * sends nothing loses them, and others are still served.
 */
export function boundConnections<Listening extends Server>(server: Listening): Listening {
  /** Oldest first, and whether it has sent a request. */
  const open = new Map<Socket, boolean>();
  server.on("request", ({ socket }: { socket: Socket }) => {
    if (open.has(socket)) open.set(socket, true);
  });
  server.on("connection", (socket: Socket) => {
    const { remoteAddress } = socket;
    const own = [...open].filter(([each]) => each.remoteAddress === remoteAddress);
    const bounded = own.length >= most.address ? own : open.size >= most.all ? [...open] : [];
    const [oldest] = bounded.find(([, hasAsked]) => !hasAsked) ?? bounded[0] ?? [];
    oldest?.destroy();
    open.set(socket, false);
    socket.once("close", () => open.delete(socket));
    if (oldest) open.delete(oldest);
  });
  return server;
}
