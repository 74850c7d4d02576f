/** An object of a Kubernetes API, as `kubectl get -o json` has it: what is to be in it, nothing more. */
export interface KubernetesObject {
  /** Group and version, such as `frrk8s.metallb.io/v1beta1`; `v1` for the core group. */
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMetadata;
  readonly [field: string]: unknown;
}

export interface ObjectMetadata {
  readonly name: string;
  /** Left out for objects that belong to the whole cluster. */
  readonly namespace?: string | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
}
