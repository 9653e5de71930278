import type { Server } from "node:http";
import type { Socket } from "node:net";

/** How many connections are open at the same time. */
export interface ConnectionBounds {
  all: number;
  /** From one address. */
  address: number;
}

/**
 * Bounds the open connections of a server: a new one ends the oldest, of its address or of all. So whoever opens many and
 * sends nothing loses them, and a sender that comes to the point is served.
 */
export function boundConnections(server: Server, bounds: ConnectionBounds): void {
  /** Oldest first. */
  const open = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    const { remoteAddress } = socket;
    const own = [...open].filter((each) => each.remoteAddress === remoteAddress);
    const oldest = own.length >= bounds.address ? own[0] : open.size >= bounds.all ? [...open][0] : undefined;
    oldest?.destroy();
    open.add(socket);
    socket.once("close", () => open.delete(socket));
    if (oldest) open.delete(oldest);
  });
}
