import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { SandboxError } from "../kit/errors";
import { type Result, until } from "../kit/process";
import { quote } from "../kit/shell";
import { portCommands, workloadCommands } from "../plan/host-script";
import { holder } from "../plan/init-script";
import { checkWorkload, type Layout, type Workload } from "../plan/layout";

/** Properties of a sandbox that a workload uses. */
interface Site {
  readonly folder: string;
  readonly ovn: boolean;
  readonly hosts: Layout["hosts"];
  readonly namespaces: readonly string[];
  exec(namespace: string, argv: readonly string[], options: { input: string; timeout: number }): Promise<Result>;
  script(text: string): Promise<Result>;
}

/** Makes a workload's namespace and interface, and its port on the host's bridge. */
export const addWorkload = async (sandbox: Site, workload: Workload): Promise<void> => {
  checkWorkload(workload, sandbox);
  if (sandbox.namespaces.includes(workload.name)) throw new SandboxError("place", `a namespace is already named ${workload.name}`);
  const folder = join(sandbox.folder, workload.name);
  await mkdir(folder);
  const { stdout } = await sandbox.script(`${holder(quote(folder))} > /dev/null 2> ${quote(folder)}/holder.log < /dev/null &\necho $!`);
  const pid = stdout.trim();
  await writeFile(join(folder, "pid"), pid);
  await until(`the namespace of ${workload.name}`, 10_000, () =>
    readFile(join(folder, "made")).then(
      () => true,
      () => false,
    ),
  );
  const ports = portCommands(workload, sandbox.ovn);
  await must(sandbox, workload.host, [
    "set -e",
    `ip link add name ${workload.name} type veth peer name eth0 netns ${pid}`,
    `ip link set dev ${workload.name} addrgenmode none up`,
    ports === "" ? "" : `ovs-vsctl --timeout=10 ${ports}`,
    workloadCommands(workload, pid),
  ]);
};

/** Removes a workload's port and namespace. */
export const removeWorkload = async (sandbox: Site, workload: Workload): Promise<void> => {
  const folder = join(sandbox.folder, workload.name);
  await must(sandbox, workload.host, [
    `ovs-vsctl --timeout=10 --if-exists del-port ${workload.name}`,
    `ip link del dev ${workload.name}`,
    `kill -s KILL ${(await readFile(join(folder, "pid"), "utf8")).trim()}`,
  ]);
  await rm(folder, { recursive: true, force: true });
};

const must = async (sandbox: Site, host: string, lines: readonly string[]): Promise<void> => {
  const { code, stderr } = await sandbox.exec(host, ["sh", "-s"], { input: lines.join("\n"), timeout: 30_000 });
  if (code !== 0) throw new SandboxError("workload", `on ${host}: ${stderr.trim()}`);
};
