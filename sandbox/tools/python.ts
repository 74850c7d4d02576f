import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { cacheFolder, makeOnce } from "../kit/cache";
import { SandboxError } from "../kit/errors";
import { run } from "../kit/process";
import type { Report } from "../kit/progress";
import { cachedTree, libraryFolder } from "./debian-program";
import type { DebianPackages } from "./debian-tree";

/** Python with packages of PyPI. */
export interface Python {
  /** Path of the program. */
  readonly program: string;
  /** Environment that the program needs, in addition to PATH. LD_LIBRARY_PATH comes after folders that the environment has already. */
  readonly env: Readonly<Record<"PYTHONHOME" | "PYTHONPATH" | "LD_LIBRARY_PATH", string>>;
}

const PROGRAMS = ["python3.11-minimal", "libpython3.11-minimal", "libpython3.11-stdlib", "python3-pip-whl"];

const packages: DebianPackages = {
  suite: "bookworm",
  title: "Python 3.11",
  names: ["python3.11", ...PROGRAMS],
  isWanted: (name) => PROGRAMS.includes(name) || /^(lib(ssl3|expat1|ffi8|sqlite3-0|lzma5|bz2-1|uuid1|db5)|zlib1g)/.test(name),
  remedy: "Name a Debian mirror for a machine with apt: PULUMI_OVN_DEBIAN_MIRROR=http://.../debian",
};

/**
 * Fetches Python of Debian 12, and packages of PyPI, once into the cache folder.
 * @param name of the folder of packages; another list of packages needs another name
 * @param requirements a file with a pinned version of each package (`pip install --requirement`)
 */
export const python = async (name: string, requirements: string, report: Report = () => undefined): Promise<Python> => {
  const libraries = libraryFolder(packages.title);
  const tree = await cachedTree("python", packages, report);
  const program = join(tree, "usr/bin/python3.11");
  const env = { PYTHONHOME: join(tree, "usr"), LD_LIBRARY_PATH: [`usr/lib/${libraries}`, `lib/${libraries}`].map((folder) => join(tree, folder)).join(":") };
  const site = join(cacheFolder(), name);
  await makeOnce(site, async (scratch) => {
    report("packages of PyPI");
    const wheels = join(tree, "usr/share/python-wheels");
    const pip = (await readdir(wheels)).find((file) => file.startsWith("pip-"))!;
    const args = [join(wheels, pip, "pip"), "install", "--quiet", "--retries", "1", "--no-deps", "--target", scratch, "--requirement", requirements];
    // Builds of source packages use the pinned versions, too.
    const { code, stderr } = await run({ file: program, args }, { env: { ...process.env, ...env, PIP_CONSTRAINT: requirements } });
    if (code !== 0)
      throw new SandboxError(
        "fetch-failed",
        `cannot fetch ${name} from PyPI: ${firstError(stderr)}`,
        "Name an index that this machine reaches: PIP_INDEX_URL=https://.../simple",
      );
  });
  return { program, env: { ...env, PYTHONPATH: site } };
};

const firstError = (text: string): string =>
  text
    .trim()
    .split("\n")
    .find((line) => line.startsWith("ERROR")) ?? text.trim().split("\n").at(-1)!;
