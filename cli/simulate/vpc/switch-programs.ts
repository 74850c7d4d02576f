import { existsSync, globSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { CommandError } from "../../command";

/** Programs that the shadow of a host runs; the provider's own back ends run ovs-ofctl. */
const NAMES = ["ovsdb-server", "ovsdb-tool", "ovs-vswitchd", "ovs-appctl", "ovs-ofctl", "ovs-vsctl"] as const;

/** Open vSwitch's programs, and the schema of its database. */
export interface SwitchPrograms {
  readonly paths: Readonly<Record<(typeof NAMES)[number], string>>;
  readonly schema: string;
}

/** The programs of PATH, otherwise those that the sandbox has fetched. Throws a CommandError without them. */
export function switchPrograms({ PATH = "", PULUMI_OVN_CACHE: own }: NodeJS.ProcessEnv = process.env): SwitchPrograms {
  const fetched = globSync(join(own || join(homedir(), ".cache/pulumi-ovn"), "ovn-*-*", "bin"));
  const installed = [...PATH.split(delimiter).filter(Boolean), "/usr/sbin", "/sbin"];
  for (const folders of [
    installed,
    ...fetched
      .sort()
      .reverse()
      .map((folder) => [folder]),
  ]) {
    const paths = NAMES.map((name) => [name, folders.map((folder) => join(folder, name)).find(existsSync)] as const);
    if (paths.some(([, path]) => path === undefined)) continue;
    const schema = [...folders.map((folder) => join(folder, "../usr/share")), "/usr/share"]
      .map((share) => join(share, "openvswitch/vswitch.ovsschema"))
      .find(existsSync);
    if (schema !== undefined) return { paths: Object.fromEntries(paths) as SwitchPrograms["paths"], schema };
  }
  throw new CommandError(
    "OVN_PROGRAMS",
    "this machine has no Open vSwitch programs; install openvswitch-switch, or run the sandbox of pulumi-ovn once, which fetches them",
  );
}
