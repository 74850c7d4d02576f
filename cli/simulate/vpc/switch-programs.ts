import { existsSync } from "node:fs";
import { join } from "node:path";
import { CommandError } from "../../command";
import { pathsIn, programFolders } from "../shadow/program-folders";

/** Programs that the shadow of a host runs; the provider's own back ends run ovs-ofctl. */
const NAMES = ["ovsdb-server", "ovsdb-tool", "ovs-vswitchd", "ovs-ofctl", "ovs-vsctl"] as const;

/** Open vSwitch's programs, and the schema of its database. */
export interface SwitchPrograms {
  readonly paths: Readonly<Record<(typeof NAMES)[number], string>>;
  readonly schema: string;
}

/** The programs of PATH, otherwise those that the sandbox has fetched. Throws a CommandError without them. */
export function switchPrograms(environment: NodeJS.ProcessEnv = process.env): SwitchPrograms {
  for (const folders of programFolders(environment)) {
    const paths = pathsIn(folders, NAMES);
    if (paths === undefined) continue;
    const schema = [...folders.map((folder) => join(folder, "../usr/share")), "/usr/share"]
      .map((share) => join(share, "openvswitch/vswitch.ovsschema"))
      .find(existsSync);
    if (schema !== undefined) return { paths, schema };
  }
  throw new CommandError(
    "OVN_PROGRAMS",
    "this machine has no Open vSwitch programs; install openvswitch-switch, or run the sandbox of pulumi-ovn once, which fetches them",
  );
}
