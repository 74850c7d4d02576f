import type { Entries } from "./types";

/** Codes of operations on a Kubernetes cluster. */
export const objectCodes: Entries = {
  OVN_CLUSTER: ["", ""],
  OVN_CLUSTER_CREDENTIALS: ["The API server refuses the credentials, or they can't be read.", "Try `kubectl get nodes` with the same kubeconfig and context."],
  OVN_CLUSTER_ERROR: ["The API server returned an error. 429 and 5xx (except 501, 505) were retried.", ""],
  OVN_CLUSTER_UNREACHABLE: ["The API server did not answer in time. The write may have happened.", "Run again."],
  OVN_FIELD_CONFLICT: [
    "Another manager owns the field by server-side apply, with another value.",
    "Remove the field there or here, or name the manager in `adopt: { owners: [...] }`.",
  ],
  OVN_FORBIDDEN: ["RBAC denies the request.", "Grant `list`, `get`, `patch`, `create` and `delete` of the written kinds."],
  OVN_FOREIGN_OBJECT: ["The object belongs to another owner.", "Rename, delete or [adopt](../how-to/adoption.md#kubernetes-objects) it."],
  OVN_KIND_MISSING: ["", ""],
  OVN_KUBECONFIG: ["The kubeconfig is unreadable, lacks the context, or uses HTTP without `insecure-skip-tls-verify`.", "See [targets](targets.md)."],
  OVN_NAMESPACE_MISSING: ["", ""],
  OVN_NOT_ACCEPTED: ["ovn-kubernetes did not accept the RouteAdvertisements object in time.", "Correct what its message names."],
  OVN_NOT_APPLIED: ["frr-k8s did not load a node's configuration in time.", "Read `kubectl get frrnodestates NODE -o yaml`."],
  OVN_NOT_ESTABLISHED: ["A BGP session did not come up in time.", "Check the neighbor in the message."],
  OVN_OBJECT_INVALID: ["The API server refuses the object.", "Correct the field in its message."],
};
