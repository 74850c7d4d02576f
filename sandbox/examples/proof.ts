import { SandboxError } from "../kit/errors";
import type { Sandbox } from "../lifecycle/sandbox";
import { externalNetwork } from "../plan/addresses";
import type { Workload } from "../plan/layout";
import { attempt, type Check, ofFamily, ping, reaches, sourceSeenOutside } from "./checks";

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

const outside = (sandbox: Sandbox, workloads: readonly Workload[]): Promise<Check[]> =>
  Promise.all(
    ([4, 6] as const).flatMap((family) =>
      workloads.map((workload, index) => {
        const target = ofFamily(externalNetwork.outside, family)!;
        const gateway = ofFamily(sandbox.hosts.find((host) => host.name === workload.host)!.gatewayRouter, family)!;
        return attempt(`workload to outside, IPv${family}`, `${workload.name} -> ${target} through ${workload.host}'s gateway router ${gateway}`, async () => {
          const source = await sourceSeenOutside(sandbox, workload.name, target, family, 100 + index);
          if (source !== gateway) throw new SandboxError("path", `the upstream router saw it come from ${source}, not from ${gateway}`);
          return undefined;
        });
      }),
    ),
  );

/** The default gateway as each workload's own neighbour table has it: the same address and MAC everywhere. */
const sameGateway = (sandbox: Sandbox, family: 4 | 6): Promise<Check> => {
  const gateway = ofFamily(sandbox.workloads[0]?.gateways ?? [], family)!;
  return attempt(`same gateway everywhere, IPv${family}`, gateway, async () => {
    const found = await Promise.all(
      sandbox.workloads.map(async ({ name }) => {
        await sandbox.exec(name, ["ip", "neighbour", "flush", "dev", "eth0"]); // what was learned before proves nothing now
        await ping(sandbox, name, ofFamily(externalNetwork.outside, family)!);
        const { stdout } = await sandbox.exec(name, ["ip", "neighbour", "show", gateway, "dev", "eth0"]);
        return /lladdr (\S+)/.exec(stdout)?.[1] ?? "unknown";
      }),
    );
    if (new Set(found).size !== 1 || found[0] === "unknown")
      throw new SandboxError("gateway", `its MAC differs: ${sandbox.workloads.map(({ name }, index) => `${name} has ${found[index]}`).join(", ")}`);
    return `MAC ${found[0]} at ${sandbox.workloads.map(({ name }) => name).join(", ")}`;
  });
};
