import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { compareVersions } from "@pulumi-ovn/provider/tools";
import { CommandError } from "../../command";
import { pathsIn, programFolders } from "./program-folders";

/** Programs that a shadow runs. */
const NAMES = ["ovsdb-server", "ovsdb-tool", "ovn-northd", "ovn-trace"] as const;
type Name = (typeof NAMES)[number];

/** The oldest release with `requested-chassis` on router ports, which transit routers need. */
const OLDEST = "25.3.0";

/** OVN's programs, and the schemas of its databases. */
export interface Programs {
  readonly paths: Readonly<Record<Name, string>>;
  /** Folder with `ovn-nb.ovsschema` and `ovn-sb.ovsschema`. */
  readonly schemas: string;
  /** Release of ovn-northd, such as "25.03.0". */
  readonly release: string;
}

/** Throws a CommandError if this machine lacks the programs. */
export type FindPrograms = () => Promise<Programs>;

const INSTALL = `install OVN 25.03 or newer (Debian 13: apt install ovn-central ovn-common openvswitch-common), or run the sandbox of pulumi-ovn once, which fetches it`;

/** The programs of PATH if they are new enough, otherwise those that the sandbox has fetched. Throws a CommandError if neither exists. */
export async function programs(environment: NodeJS.ProcessEnv = process.env): Promise<Programs> {
  const [installed, ...fetched] = programFolders(environment);
  let found = lackText(installed);
  for (const folders of [installed, ...fetched]) {
    const paths = pathsIn(folders, NAMES);
    const schemas = paths && schemaFolder(paths["ovn-northd"], environment);
    if (paths === undefined || schemas === undefined) continue;
    const release = await releaseOf(paths["ovn-northd"]);
    if (release !== undefined && compareVersions(release, OLDEST) >= 0) return { paths, schemas, release };
    const northd = paths["ovn-northd"];
    found = release === undefined ? `${northd}, which does not print its release` : `${northd} ${release}, which is too old`;
  }
  throw new CommandError("OVN_PROGRAMS", `simulate runs ovn-northd and ovn-trace, and this machine has ${found}; ${INSTALL}`);
}

/** Programs that the folders lack; without any of OVN's own, no names. */
function lackText(folders: readonly string[]): string {
  const missing = NAMES.filter((name) => pathsIn(folders, [name]) === undefined);
  return missing.includes("ovn-northd") && missing.includes("ovn-trace") ? "no OVN programs" : `no ${missing.join(", no ")}`;
}

/** `share/ovn` next to the program's own folder, as packages install it. */
function schemaFolder(northd: string, { OVN_PKGDATADIR: own }: NodeJS.ProcessEnv): string | undefined {
  const folders = [
    ...(own ? [own] : []),
    ...["../share/ovn", "../usr/share/ovn", "../../usr/share/ovn"].map((path) => resolve(northd, "..", path)),
    "/usr/share/ovn",
  ];
  return folders.find((folder) => existsSync(join(folder, "ovn-nb.ovsschema")));
}

async function releaseOf(northd: string): Promise<string | undefined> {
  const { stdout } = await promisify(execFile)(northd, ["--version"], { timeout: 10_000 }).catch(() => ({ stdout: "" }));
  return /\d+\.\d+\.\d+/.exec(stdout)?.[0];
}
