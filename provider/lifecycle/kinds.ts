import { type Kind, kinds } from "../../core/kinds/index.ts";

/**
 * The kinds that programs can have. What costs money or takes others down takes a consent that Pulumi cannot ask for, and
 * what is there from the start cannot be created.
 */
export const programKinds: readonly Kind[] = kinds.filter(
  ({ isInfrastructure, isGiven }) => !isInfrastructure && !isGiven,
);
