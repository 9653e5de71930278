export { buildPrograms as default } from "./fixtures/programs.ts";
