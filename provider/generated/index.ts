// Made from the schema of the kind by `npm run generate`: not to be changed by hand.
export * from "./project.ts";
export * from "./deploymentrule.ts";
export * from "./environment.ts";
export * from "./deploymentstage.ts";
export * from "./application.ts";
export * from "./container.ts";
export * from "./database.ts";
export * from "./helm.ts";
export * from "./job.ts";
export * from "./terraform.ts";
export * from "./annotationsgroup.ts";
export * from "./containerregistry.ts";
export * from "./customrole.ts";
export * from "./gittoken.ts";
export * from "./helmrepository.ts";
export * from "./labelsgroup.ts";
export * from "./webhook.ts";
