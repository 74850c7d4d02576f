import { join } from "node:path";
import { cacheFolder, makeOnce } from "../kit/cache";
import { SandboxError } from "../kit/errors";
import { type DebianPackages, unpackDebianTree } from "./debian-tree";

/** Libraries that come with the machine's loader. Programs of Debian 12 need glibc 2.36 or newer. */
export const OF_THE_LOADER: ReadonlySet<string> = new Set(["libc6", "libc-bin", "libcrypt1"]);

const FOLDERS: Readonly<Record<string, string>> = { x64: "x86_64-linux-gnu", arm64: "aarch64-linux-gnu" };

/** Name of the folder of libraries for this machine. */
export const libraryFolder = (title: string): string => {
  const folder = FOLDERS[process.arch];
  if (process.platform !== "linux" || folder === undefined)
    throw new SandboxError("architecture", `there is no ${title} of Debian for ${process.platform} on ${process.arch}`);
  return folder;
};

/**
 * Folder of the cache with the packages, fetched once.
 * @param name beginning of the folder's name
 * @param finish completes the unpacked tree
 */
export const cachedTree = async (
  name: string,
  packages: DebianPackages,
  report: (text: string) => void,
  finish: (scratch: string, tree: string) => Promise<unknown> = () => Promise.resolve(),
): Promise<string> => {
  const tree = join(cacheFolder(), `${name}-${packages.suite}-1`);
  await makeOnce(
    tree,
    async (scratch) => {
      await unpackDebianTree(scratch, packages, report);
      await finish(scratch, tree);
    },
    () => report(`another process is fetching ${packages.title}; waiting for it`),
  );
  return tree;
};
