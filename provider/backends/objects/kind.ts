/** An argument of every resource that consists of Kubernetes objects. */
export interface AdoptObjectsArgs {
  /**
   * Takes over existing objects. `true`: objects without a mark. `owners`: also objects of these: a URN, a controller such as `Deployment/a`, or
   * a value of the label `app.kubernetes.io/managed-by`; and fields of these managers of server-side apply. The first preview reads the cluster.
   * Default: false.
   */
  adopt?: boolean | { owners: string[] };
}
