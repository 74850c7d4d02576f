import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { SandboxError } from "../kit/errors";
import { run, runOrFail } from "../kit/process";
import { findOnPath } from "./path";

/** The Debian release whose packages are used: the first with OVN 25.03, FRR 10.3. */
export const suite = "trixie";

const programs = [
  "ovn-central",
  "ovn-host",
  "ovn-common",
  "openvswitch-switch",
  "openvswitch-common",
  "frr",
  "frr-pythontools",
  "iputils-ping",
  "tcpdump",
  "ethtool",
  "iproute2",
  "openssl",
  "python3-openvswitch",
  "python3-sortedcontainers",
];

/** Libraries of the base system that none of the programs links to. */
const unused = /^lib(python|systemd-shared|semanage|sepol|pam|proc2|debconf|lsof|mount|blkid|smartcols)/;

/** Whether the programs need the package's files: the programs themselves and their libraries. */
export const isWanted = (name: string): boolean => programs.includes(name) || (name.startsWith("lib") && !unused.test(name));

/** One source of the machine's package manager. */
export interface Source {
  readonly uri: string;
  readonly release: string;
  readonly label: string;
}

/** The Debian mirror among the machine's package sources: main archive, neither security nor updates. */
export const chooseMirror = (sources: readonly Source[]): string | undefined =>
  sources.find(({ label, release, uri }) => (label === "Debian" || /\/debian\/?$/.test(uri)) && !release.includes("-"))?.uri;

const aptSettings = (folder: string): string => `
Dir::Etc::SourceList "${folder}/sources.list";
Dir::Etc::SourceParts "/dev/null";
Dir::Etc::Preferences "/dev/null";
Dir::Etc::PreferencesParts "/dev/null";
Dir::State "${folder}/state";
Dir::State::status "${folder}/status";
Dir::Cache "${folder}/cache";
APT::Sandbox::User "";
APT::Install-Recommends "false";
Debug::NoLocking "1";
Acquire::Check-Valid-Until "false";
Acquire::Languages "none";
APT::Update::Error-Mode "any";
Acquire::IndexTargets::deb::DEP-11::DefaultEnabled "false";
`;

/** Packages of one Debian release, and what to install instead if they can't be fetched. */
export interface DebianPackages {
  readonly suite: string;
  /** Name of the contents, for messages. */
  readonly title: string;
  /** Packages to unpack. */
  readonly names: readonly string[];
  /** Which of their dependencies to unpack, too. Default: none. */
  readonly isWanted?: (name: string) => boolean;
  readonly remedy: string;
}

/** OVN, Open vSwitch and FRR with the libraries that they link to. */
export const ovnPackages: DebianPackages = {
  suite,
  title: "Open Virtual Network",
  names: programs,
  isWanted,
  remedy: [
    "The sandbox needs OVN 25.03 or newer, Open vSwitch, FRR, iproute2, ethtool, ping and tcpdump. Either install all of them (Debian 13:",
    "apt install ovn-central ovn-host frr iproute2 ethtool iputils-ping tcpdump; Fedora: dnf install ovn-central ovn-host frr iproute ethtool iputils tcpdump),",
    "or name a Debian mirror for a machine with apt: PULUMI_OVN_DEBIAN_MIRROR=http://.../debian",
  ].join("\n"),
};

/** Unpacks Debian packages into `folder`, without privileges and without changing the machine's packages. */
export const unpackDebianTree = async (folder: string, packages: DebianPackages, report: (text: string) => void): Promise<void> => {
  const { names, isWanted: isDependencyWanted } = packages;
  const unavailable = (code: string, cause: string): SandboxError =>
    new SandboxError(code, `cannot fetch ${packages.title} from Debian ${packages.suite}: ${cause}`, packages.remedy);
  const apt = async (args: readonly string[], options: { env: NodeJS.ProcessEnv; cwd?: string }): Promise<string> => {
    const { code, stdout, stderr } = await run({ file: "apt-get", args }, options);
    if (code !== 0) throw unavailable("fetch-failed", `apt-get ${args.find((word) => !word.startsWith("-"))} failed: ${stderr.trim().slice(0, 1500)}`);
    return stdout;
  };
  for (const tool of ["apt-get", "dpkg"]) if (findOnPath(tool) === undefined) throw unavailable("no-apt", `this machine has no ${tool}`);
  const mirror = process.env["PULUMI_OVN_DEBIAN_MIRROR"] || chooseMirror(await sources());
  if (mirror === undefined) throw unavailable("no-mirror", "the machine's package sources name no Debian mirror");
  const settings = join(folder, "apt");
  await mkdir(join(settings, "state/lists/partial"), { recursive: true });
  await mkdir(join(settings, "cache/archives/partial"), { recursive: true });
  await writeFile(join(settings, "status"), "");
  await writeFile(join(settings, "sources.list"), `deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] ${mirror} ${packages.suite} main\n`);
  await writeFile(join(settings, "settings"), aptSettings(settings));
  const env = { ...process.env, APT_CONFIG: join(settings, "settings"), LC_ALL: "C" };
  report(`package lists of Debian ${packages.suite}`);
  await apt(["-qq", "update"], { env });
  const solved = isDependencyWanted === undefined ? "" : await apt(["--print-uris", "-qq", "install", ...names], { env });
  const wanted = isDependencyWanted === undefined ? names : namesIn(solved).filter(isDependencyWanted);
  report(`${wanted.length} ${wanted.length === 1 ? "package" : "packages"}`);
  const debs = join(folder, "debs");
  await mkdir(debs);
  await apt(["-qq", "download", ...wanted], { env, cwd: debs });
  report("unpacking");
  for (const deb of await readdir(debs)) await runOrFail({ file: "dpkg", args: ["-x", join(debs, deb), folder] });
  await run({ file: "rm", args: ["-rf", settings, debs, join(folder, "usr/share/doc"), join(folder, "usr/share/man"), join(folder, "usr/share/locale")] });
};

/** Names of the packages in the output of `apt-get --print-uris`. */
const namesIn = (uris: string): string[] => uris.split("\n").map((line) => line.split(" ")[1]?.split("_")[0] ?? "");

const sources = async (): Promise<Source[]> => {
  const format = "$(REPO_URI)\t$(RELEASE)\t$(LABEL)";
  const text = await runOrFail({ file: "apt-get", args: ["indextargets", "--format", format, "Created-By: Packages"] });
  return text
    .split("\n")
    .filter(Boolean)
    .map((line) => {
      const [uri = "", release = "", label = ""] = line.split("\t");
      return { uri, release, label };
    });
};
