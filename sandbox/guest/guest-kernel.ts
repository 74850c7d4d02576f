import { existsSync } from "node:fs";
import { join } from "node:path";
import { SandboxError } from "../kit/errors";
import { cachedTree } from "../tools/debian-program";
import { type DebianPackages } from "../tools/debian-tree";
import { findOnPath } from "../tools/path";

/** A Linux kernel that runs as an ordinary program, with devices that the machine's own kernel may lack, such as VRF. */
export interface GuestKernel {
  /** Path of the program. */
  readonly program: string;
  /** Folder with a folder of modules for each kernel release. */
  readonly modules: string;
}

/** The package of Debian 12 runs on every machine with glibc 2.34 or newer. */
const kernelPackage: DebianPackages = {
  suite: "bookworm",
  title: "user-mode Linux",
  names: ["user-mode-linux"],
  remedy: "Install Debian's package user-mode-linux, or name a Debian mirror for a machine with apt: PULUMI_OVN_DEBIAN_MIRROR=http://.../debian",
};

const within = (root: string): GuestKernel => ({ program: join(root, "usr/bin/linux.uml"), modules: join(root, "usr/lib/uml/modules") });

/**
 * The kernel of the machine's package user-mode-linux if it is installed. Otherwise it is fetched once into the cache folder (40 MB).
 * @param report receives the steps of a download
 */
export const guestKernel = async (report: (text: string) => void = () => undefined): Promise<GuestKernel> => {
  if (process.platform !== "linux" || process.arch !== "x64")
    throw new SandboxError("architecture", `there is no user-mode Linux for ${process.platform} on ${process.arch}`);
  const installed = within("/");
  if (findOnPath("linux.uml", ["/usr/bin"]) !== undefined && existsSync(installed.modules)) return installed;
  return within(await cachedTree("user-mode-linux", kernelPackage, report));
};
