/** Stable codes of what goes wrong with a Kubernetes cluster and the objects in it. */
export type ObjectErrorCode =
  | "OVN_CLUSTER_UNREACHABLE"
  | "OVN_CLUSTER_CREDENTIALS"
  | "OVN_CLUSTER_ERROR"
  | "OVN_KUBECONFIG"
  | "OVN_KIND_MISSING"
  | "OVN_NAMESPACE_MISSING"
  | "OVN_FORBIDDEN"
  | "OVN_OBJECT_INVALID"
  | "OVN_FOREIGN_OBJECT"
  | "OVN_FIELD_CONFLICT"
  | "OVN_NOT_FOUND"
  | "OVN_CONTENTION"
  | "OVN_ABORTED";

/** Objects that could not be read, written or removed. The text never holds a credential. */
export class ObjectError extends Error {
  constructor(
    readonly code: ObjectErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = "ObjectError";
  }
}
