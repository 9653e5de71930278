// Loaded into a worker with --import: each of its requests names it, as all workers reach the API by the same URL.
import { subscribe } from "node:diagnostics_channel";

subscribe("http.client.request.created", ({ request }) => {
  request.setHeader("x-test-worker", process.env.INFRASYNC_TEST_WORKER);
});
