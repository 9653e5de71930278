import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** A way to a server on this machine that a test can cut. */
export class Wire {
  readonly #server = createServer();
  readonly #sockets = new Set<Socket>();
  #isSilent = false;
  /** How long a message takes, in milliseconds. */
  delay = 0;
  /** How many messages were sent to the server. */
  messages = 0;
  port = 0;
  /** The server to which new connections go. */
  #target = 0;

  static async to(port: number): Promise<Wire> {
    const wire = new Wire();
    wire.#target = port;
    wire.#server.on("connection", (near) => wire.#join(near, wire.#target)).listen(0, "127.0.0.1");
    await once(wire.#server, "listening");
    const address = wire.#server.address();
    wire.port = typeof address === "object" && address ? address.port : 0;
    return wire;
  }

  /** Nothing passes any more, and nobody is told: the connections are half-open. New ones get no answer. */
  silence(): void {
    this.#isSilent = true;
    for (const socket of this.#sockets) socket.pause();
  }

  /** All connections end, and new ones pass. */
  restore(): void {
    this.#isSilent = false;
    for (const socket of this.#sockets) socket.destroy();
  }

  /** New connections go to another server; those that are there stay. */
  lead(port: number): void {
    this.#target = port;
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #join(near: Socket, port: number): void {
    const far = connect(port, "127.0.0.1");
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(one);
      one
        .on("data", (data) => {
          if (this.#isSilent) return;
          if (one === near) this.messages += 1;
          if (this.delay === 0) other.write(data);
          else setTimeout(() => other.write(data), this.delay);
        })
        .on("error", () => undefined)
        .on("close", () => {
          this.#sockets.delete(one);
          if (!this.#isSilent) other.destroy();
        });
      if (this.#isSilent) one.pause();
    }
  }
}
