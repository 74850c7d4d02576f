import { accessSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { cacheFolder, makeOnce } from "../kit/cache";
import { SandboxError } from "../kit/errors";
import { type Command, run } from "../kit/process";
import { quote, writeScript } from "../kit/shell";
import { ovnPackages, suite, unpackDebianTree } from "./debian-tree";
import { findOnPath, programFolders } from "./path";

export type SchemaName = "ovn-nb.ovsschema" | "ovn-sb.ovsschema" | "vswitch.ovsschema";

/** The programs of OVN, Open vSwitch and FRR, wherever they come from. */
export interface Binaries {
  /** `machine`: installed here; `tree`: a private unpacked tree in the cache folder. */
  readonly origin: "machine" | "tree";
  /** How to run a program; only its name is given, `ovn-nbctl` for instance. */
  command(name: string, args: readonly string[]): Command;
  /** The path of a program, of a script too, which is run by its interpreter. */
  file(name: string): string;
  /** The path of a database schema. */
  schema(name: SchemaName): string;
  /** Folders to put first on PATH, so that the programs run by name. */
  readonly path: readonly string[];
  /** Environment for the programs, in addition to PATH. */
  readonly env: Readonly<Record<string, string>>;
}

/** Folders of programs outside PATH, below the root folder. */
const privateFolders = ["usr/lib/frr", "usr/libexec/frr", "usr/lib/openvswitch-switch", "usr/share/ovn/scripts"];

/** The oldest release with `requested-chassis` on router ports, which transit routers need. */
const oldest: readonly [number, number] = [25, 3];

const required = [
  "ovn-northd",
  "ovn-controller",
  "ovn-nbctl",
  "ovn-sbctl",
  "ovs-vswitchd",
  "ovs-vsctl",
  "ovsdb-server",
  "ovsdb-tool",
  "ping",
  "tcpdump",
  "ip",
  "ethtool",
];
const requiredForFrr = ["zebra", "mgmtd", "staticd", "bgpd", "vtysh"];

let known: Promise<Binaries> | undefined;

/**
 * Finds the programs: the machine's own if it has OVN 25.03 or newer, otherwise Debian packages, unpacked once into the cache folder (about 30
 * MB, 10 seconds).
 * @param report receives progress of long steps
 */
export const binaries = async (report: (text: string) => void = () => undefined): Promise<Binaries> => {
  known ??= find(report);
  known.catch(() => (known = undefined)); // the next call may succeed
  return known;
};

const find = async (report: (text: string) => void): Promise<Binaries> => {
  if (process.platform !== "linux") throw new SandboxError("not-linux", `the sandbox runs Open vSwitch, which needs Linux; this is ${process.platform}`);
  return (await fromMachine()) ?? fromTree(report);
};

/** Whether the first line of `ovn-northd --version` names a release that is new enough. */
export const isRecent = (versionLine: string): boolean => {
  const [, major, minor] = /(\d+)\.(\d+)/.exec(versionLine) ?? [];
  if (major === undefined || minor === undefined) return false;
  return Number(major) > oldest[0] || (Number(major) === oldest[0] && Number(minor) >= oldest[1]);
};

const fromMachine = async (): Promise<Binaries | undefined> => {
  const folders = [...programFolders(), ...privateFolders.map((folder) => `/${folder}`)];
  if ([...required, ...requiredForFrr].some((name) => findOnPath(name, folders) === undefined)) return undefined;
  if (!isRecent((await run({ file: findOnPath("ovn-northd", folders)!, args: ["--version"] })).stdout)) return undefined;
  return {
    origin: "machine",
    command: (name, args) => ({ file: located(name, folders), args }),
    file: (name) => located(name, folders),
    schema: (name) => `/usr/share/${schemaFolder(name)}/${name}`,
    path: folders,
    env: {},
  };
};

const schemaFolder = (name: SchemaName): string => (name === "vswitch.ovsschema" ? "openvswitch" : "ovn");

const loaders: Record<string, readonly [loader: string, libraries: string]> = {
  x64: ["usr/lib64/ld-linux-x86-64.so.2", "usr/lib/x86_64-linux-gnu"],
  arm64: ["usr/lib/aarch64-linux-gnu/ld-linux-aarch64.so.1", "usr/lib/aarch64-linux-gnu"],
};

const fromTree = async (report: (text: string) => void): Promise<Binaries> => {
  const paths = loaders[process.arch];
  if (paths === undefined) throw new SandboxError("architecture", `no prebuilt OVN for ${process.arch}`, "Install OVN 25.03 or newer, Open vSwitch and FRR.");
  const tree = join(cacheFolder(), `ovn-${suite}-1`);
  await makeOnce(
    tree,
    async (scratch) => {
      await unpackDebianTree(scratch, ovnPackages, report);
      await writeWrappers(scratch, tree, paths);
    },
    () => report("another process is fetching OVN; waiting for it"),
  );
  const folders = treeFolders(tree);
  return {
    origin: "tree",
    command: (name, args) => ({ file: join(tree, paths[0]), args: [...loaderArguments(tree, paths[1]), "--argv0", name, located(name, folders), ...args] }),
    file: (name) => located(name, folders),
    schema: (name) => join(tree, "usr/share", schemaFolder(name), name),
    path: [join(tree, "bin")],
    env: { OVS_PKGDATADIR: join(tree, "usr/share/openvswitch"), OVN_PKGDATADIR: join(tree, "usr/share/ovn") },
  };
};

const treeFolders = (tree: string): string[] => ["usr/bin", "usr/sbin", "bin", "sbin", ...privateFolders].map((folder) => join(tree, folder));

const loaderArguments = (tree: string, libraries: string): string[] => [
  "--library-path",
  [libraries, `${libraries}/frr`].map((folder) => join(tree, folder)).join(delimiter),
];

const located = (name: string, folders: readonly string[]): string => {
  const path = findOnPath(name, folders);
  if (path === undefined) throw new SandboxError("no-program", `${name} is not among the programs of OVN, Open vSwitch and FRR`);
  return path;
};

/** `bin/NAME` for every program, so that the tree is used by putting one folder on PATH. They name the tree's final folder. */
const writeWrappers = async (scratch: string, tree: string, [loader, libraries]: readonly [string, string]): Promise<void> => {
  accessSync(join(scratch, loader));
  await mkdir(join(scratch, "bin"), { recursive: true });
  const names = [
    ...required,
    ...requiredForFrr,
    "ovn-trace",
    "ovn-appctl",
    "ovs-appctl",
    "ovs-ofctl",
    "ovs-dpctl",
    "ovsdb-client",
    "openssl",
    "tc",
    "bridge",
    "ss",
  ];
  for (const name of names) {
    const path = findOnPath(name, treeFolders(scratch));
    if (path === undefined) continue;
    const program = path.replace(scratch, tree);
    const data = `OVS_PKGDATADIR=${quote(`${tree}/usr/share/openvswitch`)} OVN_PKGDATADIR=${quote(`${tree}/usr/share/ovn`)}`;
    await writeScript(
      join(scratch, "bin", name),
      `${data} exec ${[join(tree, loader), ...loaderArguments(tree, libraries), "--argv0", name, program].map(quote).join(" ")} "$@"`,
    );
  }
};

/** Environment in which the programs run by their names, also those that start others. */
export const programEnvironment = (programs: Binaries): { PATH: string } => ({ ...programs.env, PATH: [...programs.path, ...programFolders()].join(":") });
