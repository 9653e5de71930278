// The plugin as one executable. It has Node in it, and its bundle is CommonJS, which has no top-level `await`.
import { runPlugin } from "./process.ts";

void runPlugin();
