/** The `engines` of package.json, which npm only warns about. */
const OLDEST = "22.12";

/** What is wrong with this release of Node.js; undefined: nothing. Runs in any release: no syntax or function that came lately. */
export function nodeProblem(found: string = process.versions.node): string | undefined {
  const [major, minor] = found.split(".").map(Number) as [number, number];
  const [leastMajor, leastMinor] = OLDEST.split(".").map(Number) as [number, number];
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return undefined;
  return `OVN_NODE: pulumi-ovn needs Node.js ${OLDEST} or newer, and this is ${found} (${process.execPath})`;
}
