import { lstat, mkdir, rmdir } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { SandboxError } from "../kit/errors";

/** The longest path of a unix socket that every program accepts (sun_path has 108 bytes with its final zero). */
const longestSocketPath = 107;
/** The longest that is put below a sandbox's folder. */
const longestName = "/node100/ovs-vswitchd.1234567.ctl";

/** The folder of all the user's running sandboxes: `PULUMI_OVN_RUN`, or one in the system's temporary folder. */
export const sandboxesFolder = (env: NodeJS.ProcessEnv = process.env): string => env["PULUMI_OVN_RUN"] || join(tmpdir(), `pulumi-ovn-${userInfo().uid}`);

/** The folder of one sandbox. */
export const sandboxFolder = (name: string, env: NodeJS.ProcessEnv = process.env): string => {
  const folder = join(sandboxesFolder(env), name);
  if (folder.length + longestName.length > longestSocketPath)
    throw new SandboxError("folder", `${folder} is too long for the paths of unix sockets in it`, "Set PULUMI_OVN_RUN to a shorter folder.");
  if (/^(\/var)?\/run\//.test(folder))
    throw new SandboxError("folder", `${folder}: a sandbox has its own /run and would not find its folder there`, "Set PULUMI_OVN_RUN to another folder.");
  return folder;
};

/** Makes the folder of all sandboxes; it must be the user's own, as what is in it is run. */
export const makeSandboxesFolder = async (): Promise<void> => {
  const folder = sandboxesFolder();
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const found = await lstat(folder);
  if (!found.isDirectory() || found.uid !== userInfo().uid)
    throw new SandboxError("folder", `${folder} is not a folder of this user`, "Set PULUMI_OVN_RUN to a folder of your own.");
};

/** Removes the folder of all sandboxes when nothing is in it. */
export const removeSandboxesFolder = (): Promise<void> => rmdir(sandboxesFolder()).catch(() => undefined);
