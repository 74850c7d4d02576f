/** The `engines` of package.json, which npm only warns about. */
const OLDEST = "22.12";

/** Error for an unsupported Node.js release, otherwise undefined. Runs in every release, so it uses no recent syntax or function. */
export function nodeProblem(found: string = process.versions.node): string | undefined {
  const [major, minor] = found.split(".").map(Number) as [number, number];
  const [leastMajor, leastMinor] = OLDEST.split(".").map(Number) as [number, number];
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return undefined;
  return `OVN_NODE: pulumi-ovn needs Node.js ${OLDEST} or newer, and this is ${found} (${process.execPath})`;
}
