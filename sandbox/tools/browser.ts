import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { cachedTree, libraryFolder, OF_THE_LOADER } from "./debian-program";
import { type DebianPackages } from "./debian-tree";
import { findOnPath } from "./path";

/** Chromium without windows, for tests of pages. */
export interface Browser {
  /** Path of the program. */
  readonly program: string;
  /** Environment that the program needs, in addition to PATH. */
  readonly env: Readonly<Record<string, string>>;
}

/** Drivers of graphics cards, and the compiler that they link to (160 MB). */
const DRIVERS = /^lib(gl1-mesa-dri|llvm|z3)/;

const PROGRAMS = ["chromium-headless-shell", "chromium-common", "fonts-dejavu-core"];

const browserPackages: DebianPackages = {
  suite: "bookworm",
  title: "Chromium",
  names: PROGRAMS,
  isWanted: (name) => PROGRAMS.includes(name) || name === "zlib1g" || (name.startsWith("lib") && !OF_THE_LOADER.has(name) && !DRIVERS.test(name)),
  remedy: "Install Debian's package chromium-headless-shell, or name a Debian mirror for a machine with apt: PULUMI_OVN_DEBIAN_MIRROR=http://.../debian",
};

/**
 * Returns the machine's chromium-headless-shell, or fetches it once into the cache folder (100 MB).
 * @param report receives the steps of a download
 */
export const browser = async (report: (text: string) => void = () => undefined): Promise<Browser> => {
  const installed = findOnPath("chromium-headless-shell");
  if (installed !== undefined) return { program: installed, env: {} };
  const libraries = libraryFolder(browserPackages.title);
  const tree = await cachedTree("chromium", browserPackages, report, (scratch, folder) => writeFile(join(scratch, "fonts.conf"), fonts(folder)));
  const folders = [`usr/lib/${libraries}`, `lib/${libraries}`, `usr/lib/${libraries}/pulseaudio`].map((folder) => join(tree, folder));
  return {
    program: join(tree, "usr/lib/chromium/chromium-headless-shell"),
    env: { LD_LIBRARY_PATH: folders.join(":"), FONTCONFIG_FILE: join(tree, "fonts.conf") },
  };
};

/** Only the tree's own fonts, so that pictures are the same on every machine. */
const fonts = (tree: string): string => `<?xml version="1.0"?>
<fontconfig><dir>${join(tree, "usr/share/fonts")}</dir><cachedir>${join(tree, "font-cache")}</cachedir></fontconfig>
`;
