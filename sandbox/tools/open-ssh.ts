import { join } from "node:path";
import { cachedTree, libraryFolder, OF_THE_LOADER } from "./debian-program";
import type { DebianPackages } from "./debian-tree";

/** OpenSSH for tests that reach hosts over the network. */
export interface OpenSsh {
  /** Paths of the programs. */
  readonly sshd: string;
  readonly ssh: string;
  readonly keygen: string;
  /** Environment that all need, in addition to PATH. */
  readonly env: Readonly<Record<string, string>>;
}

const PROGRAMS = ["openssh-server", "openssh-client"];

/** Libraries that only packages for configuring a machine need. */
const UNUSED = /perl|^lib(pam-modules|pam-runtime|systemd-shared|semanage|sepol|proc2|debconf)/;

const packages: DebianPackages = {
  suite: "bookworm",
  title: "OpenSSH",
  names: PROGRAMS,
  isWanted: (name) => PROGRAMS.includes(name) || (name.startsWith("lib") && !OF_THE_LOADER.has(name) && !UNUSED.test(name)),
  remedy: "Name a Debian mirror for a machine with apt: PULUMI_OVN_DEBIAN_MIRROR=http://.../debian",
};

/**
 * Fetches OpenSSH once into the cache folder (20 MB).
 * @param report receives the steps of a download
 */
export const openSsh = async (report: (text: string) => void = () => undefined): Promise<OpenSsh> => {
  const libraries = libraryFolder(packages.title);
  const tree = await cachedTree("openssh", packages, report);
  return {
    sshd: join(tree, "usr/sbin/sshd"),
    ssh: join(tree, "usr/bin/ssh"),
    keygen: join(tree, "usr/bin/ssh-keygen"),
    env: { LD_LIBRARY_PATH: [`usr/lib/${libraries}`, `lib/${libraries}`].map((folder) => join(tree, folder)).join(":") },
  };
};
