// The program of the single executable. It has Node in it, and its bundle is CommonJS, which has no top-level `await`.
import { runProcess } from "./process.ts";

void runProcess();
