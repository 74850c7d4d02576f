import { constants } from "node:fs";
import { open, stat } from "node:fs/promises";
import { AgentError } from "../daemon/errors";

/** Bytes. The file of a VPC with 200 hosts and 10,000 workloads has some megabytes. */
const LARGEST = 64 * 1024 * 1024;

/** Rights of the group and of others to write. */
const WRITABLE = 0o022;

interface Found {
  readonly uid: number;
  readonly mode: number;
}

/** Throws an AgentError if other users can change a file or folder: the agent would write their rows and flows as root. */
function requireOwn(path: string, { uid, mode }: Found): void {
  const wrong = uid !== 0 && uid !== process.geteuid!() ? `owned by user ${uid}` : (mode & WRITABLE) !== 0 ? "writable by other users" : undefined;
  if (wrong !== undefined) throw refusal(path, `${wrong}; correct its owner and rights`);
}

/** Throws an AgentError if the folder of updates can be changed by other users. */
export async function requireOwnFolder(folder: string): Promise<void> {
  requireOwn(folder, await stat(folder));
}

/** Text of a file that an update has written. Throws an AgentError for links, special files, large files, and files of other users. */
export async function readKeptFile(path: string): Promise<string> {
  // A pipe would block an open without O_NONBLOCK.
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch((error: NodeJS.ErrnoException) => {
    throw error.code === "ELOOP" ? refusal(path, "a symbolic link; remove it") : error;
  });
  try {
    const found = await file.stat();
    if (!found.isFile()) throw refusal(path, "not a regular file; remove it");
    requireOwn(path, found);
    if (found.size > LARGEST) throw refusal(path, `${found.size} bytes long, the maximum is ${LARGEST}; remove it`);
    return await file.readFile("utf8");
  } finally {
    await file.close();
  }
}

const refusal = (path: string, why: string): AgentError => new AgentError("OVN_AGENT_FILE", `${path} is ${why}, and run "pulumi up --refresh"`);
