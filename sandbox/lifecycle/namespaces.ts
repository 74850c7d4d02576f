import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, existsSync, openSync } from "node:fs";
import { open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { SandboxError } from "../kit/errors";
import { childrenOf, type Command, run } from "../kit/process";
import { quote } from "../kit/shell";
import { findOnPath } from "../tools/path";

const asRoot = (): boolean => process.getuid?.() === 0;

const unshareArguments = (): string[] => [
  ...(asRoot() ? [] : ["--user", "--map-root-user"]),
  "--net",
  "--mount",
  "--pid",
  "--fork",
  "--kill-child",
  "--mount-proc",
];

/** Refuses, with the cause and the remedy, a machine on which the sandbox's namespaces cannot be made. */
export const checkNamespaces = async (): Promise<void> => {
  if (process.platform !== "linux") throw new SandboxError("not-linux", `the sandbox runs Open vSwitch, which needs Linux; this is ${process.platform}`);
  for (const tool of ["unshare", "nsenter"])
    if (findOnPath(tool) === undefined) throw new SandboxError("no-unshare", `there is no ${tool}`, "Install util-linux.");
  await checkTap();
  const { code, stderr } = await run({ file: "unshare", args: [...unshareArguments(), "true"] });
  if (code === 0) return;
  throw new SandboxError(
    "no-namespaces",
    `this ${asRoot() ? "container" : "user"} may not make network namespaces: ${stderr.trim()}`,
    asRoot()
      ? "In a container, give it the capability SYS_ADMIN and NET_ADMIN (docker run --privileged)."
      : "Run as root, or let users make namespaces: sysctl kernel.unprivileged_userns_clone=1 user.max_user_namespaces=10000\nkernel.apparmor_restrict_unprivileged_userns=0 (those of them that this kernel has).",
  );
};

/** Bridges of Open vSwitch's userspace datapath are TAP devices. */
const checkTap = async (): Promise<void> => {
  try {
    await (await open("/dev/net/tun", "r+")).close();
  } catch (error) {
    throw new SandboxError(
      "no-tun",
      `/dev/net/tun cannot be used: ${(error as Error).message}`,
      existsSync("/dev/net/tun")
        ? "Run as root, or let users open it, as on most systems: chmod 0666 /dev/net/tun (as root)."
        : "Load it: modprobe tun; in a container: mknod /dev/net/tun c 10 200, or docker run --device /dev/net/tun.",
    );
  }
};

/** Starts the first process of a sandbox, apart from this one: it continues when this one ends. */
export const startFirst = (folder: string): ChildProcess => {
  const log = openSync(join(folder, "first.log"), "a");
  // The process writes its own number, so the sandbox is known even if its starter is killed here.
  const script = 'echo $$ > "$0/unshare.pid" && exec unshare "$@"';
  const child = spawn("sh", ["-c", script, folder, ...unshareArguments(), "sh", join(folder, "init")], {
    cwd: "/",
    detached: true,
    stdio: ["ignore", log, log],
  });
  closeSync(log);
  child.unref();
  return child;
};

/** The process numbers, as seen from outside, of a running sandbox: of `unshare`, and of the first process inside. */
export interface FirstProcess {
  readonly unshare: number;
  readonly init: number;
}

/** Finds the processes of a sandbox. Numbers are used again by others, so the command must be this sandbox's own. */
export const findFirst = async (folder: string): Promise<FirstProcess | undefined> => {
  const unshare = Number(await readFile(join(folder, "unshare.pid"), "utf8").catch(() => "0"));
  if (unshare === 0) return undefined;
  const command = await readFile(`/proc/${unshare}/cmdline`, "utf8").catch(() => "");
  if (!command.includes(`${join(folder, "init")}\0`)) return undefined;
  return { unshare, init: childrenOf(unshare)[0] ?? 0 };
};

/**
 * Shell text that reads the PIDs of a sandbox's first process and of a namespace's process into `$init` and `$holder`. The shell reads them
 * itself, because starting a program takes longer than most scripts. The kernel's text has no newline.
 */
export const numbersRead = (folder: string, namespace?: string): string =>
  `read -r first < ${quote(join(folder, "unshare.pid"))} && { read -r init < "/proc/$first/task/$first/children" || [ -n "$init" ]; }${namespace === undefined ? "" : ` && read -r holder < ${quote(join(folder, namespace, "pid"))}`}`;

/**
 * Command that runs another one in the sandbox. It enters a namespace through the first process's /proc, because a second
 * program would take as long as most commands. PIDs may be shell words that print them.
 * @param holder PID of the namespace's process, as seen inside. Undefined: the namespaces of the first process
 * @param net whether to enter the network namespace, too
 */
export const inside = (init: number | string, holder: number | string | undefined, command: Command, net = true): Command => {
  const of = (kind: string, name: string): string =>
    `--${kind}${holder === undefined ? "" : `=${join("/proc", String(init), "root", "proc", String(holder), "ns", name)}`}`;
  return {
    file: "nsenter",
    args: [
      "--target",
      String(init),
      ...(asRoot() ? [] : ["--user", "--preserve-credentials"]),
      of("mount", "mnt"),
      "--pid",
      ...(net ? [of("net", "net")] : []),
      "--",
      command.file,
      ...command.args,
    ],
  };
};
