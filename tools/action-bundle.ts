// npm run build:action: bundles the program that action.yml starts into action/, with the licences of its packages. A
// release commits it.
import path from "node:path";
import { action, bundle } from "./bundle.ts";

await bundle(action, path.join(import.meta.dirname, "..", "action"), { isOneFile: true });
