import { setTimeout } from "node:timers/promises";
import { externalNetwork } from "./addresses";
import { SandboxError, textOf } from "./errors";
import { upstream, type Workload } from "./layout";
import type { Sandbox } from "./sandbox";

/** One thing that packets have shown, or not. */
export interface Check {
  readonly what: string;
  readonly detail: string;
  readonly failure?: string;
}

/** Milliseconds in which a check must succeed; the first packets are lost while neighbours are resolved. */
const patience = 10_000;

/** Shows with packets that the workloads' network works. All checks run, also after one has failed. */
export const prove = async (sandbox: Sandbox): Promise<Check[]> => {
  const { workloads } = sandbox;
  const pairs = workloads.map((from, index): [Workload, Workload] => [from, workloads[(index + 1) % workloads.length]!]).filter(([from, to]) => from !== to);
  const groups = await Promise.all([
    Promise.all(([4, 6] as const).flatMap((family) => pairs.map(([from, to]) => reaches(sandbox, from, to, family)))),
    outside(sandbox, workloads),
  ]);
  // Emptying the neighbour tables would disturb the others.
  return [...groups.flat(), await sameGateway(sandbox, 4), await sameGateway(sandbox, 6)];
};

const ofFamily = (addresses: readonly string[], family: 4 | 6): string | undefined =>
  addresses.find((address) => address.includes(":") === (family === 6))?.split("/")[0];

const attempt = async (what: string, detail: string, work: () => Promise<string | undefined>): Promise<Check> => {
  const deadline = performance.now() + patience;
  for (;;) {
    let failure: string;
    try {
      const more = await work();
      return { what, detail: more === undefined ? detail : `${detail}, ${more}` };
    } catch (error) {
      failure = textOf(error);
    }
    if (performance.now() > deadline) return { what, detail, failure };
  }
};

const ping = async (sandbox: Sandbox, from: string, to: string, size = 56): Promise<string> => {
  const { code, stdout, stderr } = await sandbox.exec(from, ["ping", "-n", "-c1", "-W1", "-s", String(size), to], { timeout: 5_000 });
  if (code !== 0) throw new SandboxError("lost", `no answer from ${to}${stderr === "" ? "" : `: ${stderr.trim()}`}`);
  return `${/time=([\d.]+ ms)/.exec(stdout)?.[1] ?? "answered"}`;
};

const reaches = (sandbox: Sandbox, from: Workload, to: Workload, family: 4 | 6): Promise<Check> => {
  const target = ofFamily(to.addresses ?? [], family)!;
  return attempt(`workload to workload, IPv${family}`, `${from.name} on ${from.host} -> ${to.name} on ${to.host} ${target}`, () => ping(sandbox, from.name, target));
};

const outside = (sandbox: Sandbox, workloads: readonly Workload[]): Promise<Check[]> =>
  Promise.all(([4, 6] as const).flatMap((family) => workloads.map((workload, index) => {
    const target = ofFamily(externalNetwork.outside, family)!;
    const gateway = ofFamily(sandbox.hosts.find((host) => host.name === workload.host)!.gatewayRouter, family)!;
    return attempt(`workload to outside, IPv${family}`, `${workload.name} -> ${target} through ${workload.host}'s gateway router ${gateway}`, async () => {
      const source = await sourceSeenOutside(sandbox, workload.name, target, family, 100 + index);
      if (source !== gateway) throw new SandboxError("path", `the upstream router saw it come from ${source}, not from ${gateway}`);
      return undefined;
    });
  })));

/**
 * Pings an address of the upstream router, and returns the source address that the request has there.
 * @param size of the request, by which it is told from those of others whatever its addresses have become
 */
const sourceSeenOutside = async (sandbox: Sandbox, from: string, target: string, family: 4 | 6, size: number): Promise<string> => {
  const filter = family === 4 ? "icmp[icmptype] == 8" : "icmp6 and ip6[40] == 128";
  const capture = await sandbox.spawn(upstream, ["tcpdump", "-n", "-l", "--immediate-mode", "-i", "eth0", filter, "and", "dst", "host", target]);
  const pattern = new RegExp(`IP6? (\\S+) > ${target}: .* length ${size + 8}$`, "m");
  let text = "";
  const listening = new Promise<void>((resolve) => capture.process.stderr!.on("data", (data: Buffer) => { if (data.includes("listening")) resolve(); }));
  const arrived = new Promise<void>((resolve) => capture.process.stdout!.on("data", (data: Buffer) => { text += data.toString(); if (pattern.test(text)) resolve(); }));
  try {
    await Promise.race([listening, capture.exit]);
    await ping(sandbox, from, target, size);
    await Promise.race([arrived, capture.exit, setTimeout(1000, undefined, { ref: false })]);
  } finally {
    capture.signal("SIGKILL");
    await capture.exit;
  }
  return pattern.exec(text)?.[1] ?? "nowhere";
};

/** The default gateway as each workload's own neighbour table has it: the same address and MAC everywhere. */
const sameGateway = (sandbox: Sandbox, family: 4 | 6): Promise<Check> => {
  const gateway = ofFamily(sandbox.workloads[0]?.gateways ?? [], family)!;
  return attempt(`same gateway everywhere, IPv${family}`, gateway, async () => {
    const found = await Promise.all(sandbox.workloads.map(async ({ name }) => {
      await sandbox.exec(name, ["ip", "neighbour", "flush", "dev", "eth0"]); // what was learned before proves nothing now
      await ping(sandbox, name, ofFamily(externalNetwork.outside, family)!);
      const { stdout } = await sandbox.exec(name, ["ip", "neighbour", "show", gateway, "dev", "eth0"]);
      return /lladdr (\S+)/.exec(stdout)?.[1] ?? "unknown";
    }));
    if (new Set(found).size !== 1 || found[0] === "unknown") throw new SandboxError("gateway", `its MAC differs: ${sandbox.workloads.map(({ name }, index) => `${name} has ${found[index]}`).join(", ")}`);
    return `MAC ${found[0]} at ${sandbox.workloads.map(({ name }) => name).join(", ")}`;
  });
};

/** The checks as a table. */
export const proofText = (checks: readonly Check[]): string => {
  const width = Math.max(...checks.map((check) => check.what.length));
  return checks.map(({ what, detail, failure }) => `  ${failure === undefined ? "ok    " : "FAILED"}  ${what.padEnd(width)}  ${detail}${failure === undefined ? "" : `: ${failure}`}`).join("\n");
};

