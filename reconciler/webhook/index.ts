export { HintBox, type Hints } from "./hint-box.ts";
export { serveWebhook, type ServedWebhook, type WebhookReceiver } from "./server.ts";
export { standardKey } from "./signature.ts";
