/** Answers one sort of request. */
export type Handler<Request, Response> = (request: Request) => Response | Promise<Response>;
