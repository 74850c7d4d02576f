import type { Kind, Outputs } from "../contract/kind";
import type { ObjectSet } from "./set";

/** Arguments that every kind has that consists of Kubernetes objects. */
export interface ClusterArgs {
  /**
   * Name of the Kubernetes cluster, a key of `clusters` in the file of targets; `default` can also be the cluster of `@pulumi/kubernetes`.
   */
  cluster: string;
}

/** An argument of every resource that consists of Kubernetes objects. */
export interface AdoptObjectsArgs {
  /**
   * Takes over existing objects. `true`: objects without a mark. `owners`: also objects and fields of these. See docs/how-to/adoption.md. Default: false.
   */
  adopt?: boolean | { owners: string[] };
}

/** Rendered arguments of a kind of Kubernetes objects. */
export interface ObjectRendered extends Outputs {
  readonly set: ObjectSet;
}

/** A kind of resource that consists of Kubernetes objects. */
export interface ObjectKind<Args extends ClusterArgs, Facts = void> extends Kind<Args, ObjectRendered, Facts> {
  readonly backend: "objects";
}
