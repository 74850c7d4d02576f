import { randomUUID } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { lock } from "../kit/cache";
import { commandFor, SandboxError } from "../kit/errors";
import { until } from "../kit/process";
import { quote, writeScript, exportLines } from "../kit/shell";
import { leafNames } from "../plan/fabric";
import { establishedSessions } from "../plan/frr";
import { hostEnvironment } from "../plan/host-script";
import { initScript, namespaceFiles } from "../plan/init-script";
import { layout, type Layout, namespacesOf, type UpOptions, upstream } from "../plan/layout";
import { type Binaries, binaries, programEnvironment } from "../tools/binaries";
import { clusterPrograms, hasCluster, startCluster } from "./cluster";
import { end } from "./down";
import { makeSandboxesFolder, sandboxFolder } from "./folder";
import { type Kept, outcome, readLayout } from "./kept";
import { checkNamespaces, findFirst, inside, numbersRead, startFirst } from "./namespaces";
import { Sandbox } from "./sandbox";

/** Starts a sandbox, or finds the one of this name that is up already with the same hosts. */
export const up = async (options: UpOptions = {}, report: (text: string) => void = () => undefined): Promise<Sandbox> => {
  const plan = layout(options);
  const folder = sandboxFolder(plan.name);
  await checkNamespaces();
  const programs = await binaries(report);
  const cluster = plan.kubernetes ? await clusterPrograms(report) : undefined;
  await makeSandboxesFolder();
  const unlock = await lock(`${folder}.lock`);
  try {
    const present = await complete(folder);
    if (present === undefined) {
      await end(folder);
      await writeFolder(plan, folder, programs);
      startFirst(folder);
      await until(`the first process of ${folder}`, 10_000, () => findFirst(folder).then((first) => first !== undefined && first.init !== 0));
    } else {
      const zones = ({ hosts }: Layout) => hosts.map(({ zone }) => zone).join();
      if (zones(present) !== zones(plan) || parts.some((part) => present[part] !== plan[part])) {
        throw new SandboxError(
          "differs",
          `sandbox ${plan.name} is up with ${hostsText(present.hosts)}, ${partsText(present)}`,
          `${commandFor("down", plan.name)}, then up again; or another --name.`,
        );
      }
    }
    const sandbox = await Sandbox.open(plan.name);
    if (cluster !== undefined && present === undefined) await startCluster(sandbox, programs, cluster);
    if (plan.frr && !plan.kubernetes) await bgpUp(sandbox);
    return sandbox;
  } catch (error) {
    if (!(error instanceof SandboxError && error.code === "differs")) await end(folder);
    throw error;
  } finally {
    await unlock();
  }
};

/** A sandbox of this folder that has been set up whole. */
const complete = async (folder: string): Promise<Kept | undefined> => {
  if ((await findFirst(folder)) === undefined || (await outcome(folder)) !== "ready") return undefined;
  const present = await readLayout(folder);
  return present?.kubernetes && !(await hasCluster(folder)) ? undefined : present;
};

const parts = ["ovn", "frr", "fabric", "kubernetes"] as const;

const partsText = (plan: Layout): string =>
  `${plan.ovn ? "with" : "without"} OVN, ${plan.frr ? "with" : "without"} FRR, ${plan.kubernetes ? "with" : "without"} Kubernetes${plan.fabric ? ", in a fabric" : ""}`;

const writeFolder = async (plan: Layout, folder: string, programs: Binaries): Promise<void> => {
  await mkdir(folder, { mode: 0o700 });
  await Promise.all(namespacesOf(plan).map((namespace) => mkdir(join(folder, namespace))));
  const schemas = { conf: programs.schema("vswitch.ovsschema"), ovnnb_db: programs.schema("ovn-nb.ovsschema"), ovnsb_db: programs.schema("ovn-sb.ovsschema") };
  const files = namespaceFiles(plan, folder)
    .set("init", initScript(plan, folder, programEnvironment(programs), schemas))
    .set("sandbox.json", JSON.stringify({ ...plan, instance: randomUUID() } satisfies Kept));
  await Promise.all([...files].map(([path, text]) => writeFile(join(folder, path), text)));
  // tcpdump would change to a user that need not exist here, and cannot be changed to in a user namespace.
  const { file, args } = programs.command("tcpdump", ["-Z", "root"]);
  await mkdir(join(folder, "bin"));
  await Promise.all(plan.hosts.map((host) => writeScript(join(folder, host.name, "run"), runScript(host, folder, programs))));
  await writeScript(join(folder, "bin/tcpdump"), `exec ${[file, ...args].map(quote).join(" ")} "$@"`);
};

/** Runs a program on a host, from outside: what `command` of a host in a file of targets names. */
const runScript = ({ name, zone }: Layout["hosts"][number], folder: string, programs: Binaries): string => {
  const at = (file: string): string => join(folder, file);
  const common = programEnvironment(programs);
  const environment = { ...common, PATH: [at(`${name}/bin`), at("bin"), common.PATH].join(":"), ...hostEnvironment(at(name), at(zone)) };
  const { file, args } = inside("$init", "$holder", { file: '"$@"', args: [] });
  return `${exportLines(environment)}
${numbersRead(folder, name)} && exec ${[file, ...args].join(" ")}`;
};

/** In a fabric the leaves' default routes say that their sessions with the upstream router are up, too. */
const bgpUp = (sandbox: Sandbox): Promise<unknown> =>
  sandbox.fabric
    ? Promise.all(sandbox.hosts.map(({ name }) => sessionsUp(sandbox, name, 2 * leafNames.length, { withRoutes: true })))
    : sessionsUp(sandbox, upstream, 2 * sandbox.hosts.length);

const sessionsUp = (sandbox: Sandbox, namespace: string, sessions: number, options?: { readonly withRoutes: boolean }): Promise<unknown> =>
  until(`BGP sessions of ${namespace}`, 60_000, async () => {
    const { code, stdout } = await sandbox.exec(namespace, ["vtysh", "-c", "show bgp summary json"]);
    return code === 0 && stdout.trim() !== "" && establishedSessions(stdout, options) === sessions;
  });

const hostsText = (hosts: Layout["hosts"]): string => {
  const zones = new Set(hosts.map(({ zone }) => zone)).size;
  return `${hosts.length} hosts${zones === hosts.length ? "" : ` in ${zones} zones`}`;
};
