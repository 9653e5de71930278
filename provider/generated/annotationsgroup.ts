// Made from the schema of the kind by `npm run generate`: not to be changed by hand.
import type * as pulumi from "@pulumi/pulumi";
import { ApiResource } from "../dynamic/resource.ts";

/** Inputs of an AnnotationsGroup. */
export interface AnnotationsGroupArgs {
  /** Name. Names that differ only by case are the same. */
  name: pulumi.Input<string>;
  /** Whether a creation adopts an existing AnnotationsGroup of that name instead of failing. */
  adopt?: pulumi.Input<boolean>;
  /** Id of an existing AnnotationsGroup that a creation adopts. */
  adoptId?: pulumi.Input<string>;
  /** Annotations, each identified by its `key`. Default: `[]`. */
  annotations?: pulumi.Input<pulumi.Input<AnnotationsGroupAnnotationArgs>[]>;
  /** Kubernetes resources that get the annotations. Default: `[]`. */
  scopes?: pulumi.Input<pulumi.Input<"DEPLOYMENTS" | "STATEFUL_SETS" | "SERVICES" | "INGRESS" | "GATEWAY_API_ROUTES" | "HPA" | "PODS" | "SECRETS" | "JOBS" | "CRON_JOBS">[]>;
}

/** An element of this list: Annotations, each identified by its `key`. */
export interface AnnotationsGroupAnnotationArgs {
  /** Key of the annotation. */
  key: pulumi.Input<string>;
  /** Its value. */
  value?: pulumi.Input<string>;
}

/** An element of this list: Annotations, each identified by its `key`. */
export interface AnnotationsGroupAnnotation {
  /** Key of the annotation. */
  key: string;
  /** Its value. */
  value: string;
}

const outputs = {
  names: ["annotations", "scopes", "name", "organization", "createdAt"],
  references: [],
};

/** A group of annotations that Kubernetes resources of services get. */
export class AnnotationsGroup extends ApiResource {
  /** Annotations, each identified by its `key`. Default: `[]`. */
  declare readonly annotations: pulumi.Output<AnnotationsGroupAnnotation[]>;
  /** Kubernetes resources that get the annotations. Default: `[]`. */
  declare readonly scopes: pulumi.Output<"DEPLOYMENTS" | "STATEFUL_SETS" | "SERVICES" | "INGRESS" | "GATEWAY_API_ROUTES" | "HPA" | "PODS" | "SECRETS" | "JOBS" | "CRON_JOBS"[]>;
  /** Name. Names that differ only by case are the same. */
  declare readonly name: pulumi.Output<string>;
  /** Id of its organization. */
  declare readonly organization: pulumi.Output<string>;
  /** When it was created. */
  declare readonly createdAt: pulumi.Output<string>;

  /**
   * A group of annotations that Kubernetes resources of services get.
   *
   * @param name name of the resource in the program; that of the AnnotationsGroup itself is among the inputs
   * @param args its inputs
   * @param options as of every Pulumi resource
   */
  constructor(name: string, args: AnnotationsGroupArgs, options?: pulumi.CustomResourceOptions) {
    super("AnnotationsGroup", name, args, outputs, options);
  }
}
