// Bills of materials (CycloneDX) of workspaces.

/** Name of a component in a package's bill: its reference without the version. */
const nameOf = (reference) => reference.slice(0, reference.lastIndexOf("@"));

/** Names of a package's peers that may be missing. */
const optionalPeers = ({ packages }) =>
  new Map(
    Object.entries(packages).map(([path, { name = path.split("node_modules/").at(-1), version, peerDependenciesMeta = {} }]) => [
      `${name}@${version}`,
      Object.keys(peerDependenciesMeta).filter((peer) => peerDependenciesMeta[peer].optional),
    ]),
  );

/**
 * Pure. The bill of one workspace: what its package brings when it is installed. `npm sbom --workspace` leaves out what another workspace
 * needs for development.
 *
 * @param whole the bill of all workspaces, with development dependencies, as `npm sbom` writes it
 * @param lock the parsed package-lock.json
 * @param reference `@pulumi-ovn/provider@0.2.0`
 */
export const billOf = (whole, lock, reference) => {
  const components = new Map(whole.components.map((component) => [component["bom-ref"], component]));
  const edges = new Map(whole.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
  const peers = optionalPeers(lock);
  const needs = (ref) => edges.get(ref).filter((other) => !peers.get(ref)?.includes(nameOf(other)));
  const reached = new Set([reference]);
  for (const ref of reached) for (const other of needs(ref)) reached.add(other);
  const named = (ref) => ({ ...components.get(ref), name: nameOf(ref) }); // npm names a workspace by its folder
  const [, ...others] = reached;
  return {
    ...whole,
    metadata: { ...whole.metadata, component: named(reference) },
    components: others.map(named),
    dependencies: [...reached].map((ref) => ({ ref, dependsOn: needs(ref) })),
  };
};
