/** An argument of every resource that consists of Kubernetes objects. */
export interface AdoptObjectsArgs {
  /**
   * Takes over objects that exist already instead of refusing their names. `true`: objects that bear nobody's mark.
   * `owners`: also objects of these, each a URN, a controller such as `Deployment/a`, or the value of the label
   * `app.kubernetes.io/managed-by`; and fields of these managers of server-side apply. The preview of the first update
   * reads the cluster to show what will change. Default: false.
   */
  adopt?: boolean | { owners: string[] };
}
