import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { cachedTree, libraryFolder } from "./debian-program";
import type { DebianPackages } from "./debian-tree";

/** Interactive shells for tests of completions. */
export interface Shells {
  /** Paths of the programs. */
  readonly fish: string;
  readonly zsh: string;
  /** Environment that both need, in addition to PATH. */
  readonly env: Readonly<Record<string, string>>;
  /** Commands of zsh that make it find its own files. */
  readonly zshSetup: string;
}

const PROGRAMS = ["fish", "fish-common", "zsh", "zsh-common"];

const packages: DebianPackages = {
  suite: "bookworm",
  title: "fish and zsh",
  names: PROGRAMS,
  isWanted: (name) => PROGRAMS.includes(name) || /^lib(pcre2-32|tinfo|ncursesw|stdc\+\+|gcc-s|cap2)/.test(name),
  remedy: "Name a Debian mirror for a machine with apt: PULUMI_OVN_DEBIAN_MIRROR=http://.../debian",
};

/**
 * Fetches the shells once into the cache folder (40 MB).
 * @param report receives the steps of a download
 */
export const shells = async (report: (text: string) => void = () => undefined): Promise<Shells> => {
  const libraries = libraryFolder(packages.title);
  // fish looks for its functions next to the program only if it has a folder of settings there.
  const tree = await cachedTree("shells", packages, report, (scratch) => mkdir(join(scratch, "usr/etc/fish"), { recursive: true }));
  const [functions, modules] = [join(tree, "usr/share/zsh/functions"), join(tree, "usr/lib", libraries, "zsh/5.9")];
  return {
    fish: join(tree, "usr/bin/fish"),
    zsh: join(tree, "bin/zsh"),
    env: { LD_LIBRARY_PATH: [`usr/lib/${libraries}`, `lib/${libraries}`].map((folder) => join(tree, folder)).join(":") },
    zshSetup: `module_path=('${modules}'); fpath=('${functions}'/**/*(/N) '${functions}')`,
  };
};
