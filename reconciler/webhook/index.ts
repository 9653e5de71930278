export { HintBox, type Hints } from "./hint-box.ts";
export { serveWebhook, type ServedWebhook } from "./server.ts";
export { standardKey } from "./signature.ts";
