// The time of the parser alone for the files of a folder: `infrasync validate` and `plan` are measured beside it.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { parseAllDocuments } from "yaml";

const [folder = "."] = process.argv.slice(2);
let documents = 0;
for (const file of readdirSync(folder))
  for (const document of parseAllDocuments(readFileSync(path.join(folder, file), "utf8")))
    if (document.toJS() !== null) documents += 1;
console.log(documents);
