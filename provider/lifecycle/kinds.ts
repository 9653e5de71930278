import { type Kind, kinds } from "../../core/kinds/index.ts";

/** The kinds that programs can have. What costs money or takes others down takes a consent that Pulumi cannot ask for. */
export const programKinds: readonly Kind[] = kinds.filter(({ isInfrastructure }) => !isInfrastructure);
