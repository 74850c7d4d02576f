import { execFileSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { provider } from "@pulumi-ovn/provider/runtime";
import { TARGETS_KEY } from "@pulumi-ovn/provider/targets";
import { statusOf, up } from "@pulumi-ovn/sandbox";
import { bothTimes, byTurns, type Taken } from "../kit/measure";
import { taken as takenWith } from "../kit/processor";
import type { Benchmark, Result } from "../kit/report";

const FLOWS = 10_000;
const ROUNDS = 15;

type Properties = Record<string, unknown>;

/** Flows of a router and its access list; `last` is in the actions of the last of them, `all` in those of all. */
function flows(last: number, all: number): string[] {
  return Array.from({ length: FLOWS }, (_, index) => {
    const mac = `0a:58:0a:00:00:${(index & 255).toString(16).padStart(2, "0")}`;
    const reg = index === FLOWS - 1 ? last : all;
    return `table=${index % 4},priority=${1000 + (index % 7)},tcp,in_port=p1,nw_dst=10.${index >> 12}.${(index >> 6) & 63}.${(index & 63) * 4}/30,tp_dst=${index},actions=dec_ttl,set_field:${mac}->eth_src,load:${reg}->NXM_NX_REG0[],output:p2`;
  });
}

export const bridgeFlows: Benchmark = {
  name: "flows",
  title: `${FLOWS.toLocaleString("en-US")} flows of a bridge`,
  method: `Check, diff and update of BridgeFlows on a sandbox host. Peers: the host's ovs-ofctl. Processor time of this process, its programs on the host, and ovs-vswitchd; medians of ${ROUNDS} rounds in turns.`,
  async run() {
    const folder = await mkdtemp(join(tmpdir(), "bench-flows-"));
    const sandbox = await up({ name: `bench-${process.pid}`, hosts: 1, ovn: false, workloads: [] });
    try {
      await writeFile(join(folder, "targets.json"), JSON.stringify(sandbox.targets));
      const command = sandbox.targets.hosts["node1"]!.command[0]!;
      const { processes } = (await statusOf(sandbox)).hosts[0]!;
      const daemons = [processes["ovs-vswitchd"]!];
      const on = (input: string, ...argv: string[]): void => void execFileSync(command, argv, { input, stdio: ["pipe", "ignore", "inherit"] });
      const taken = (run: () => unknown): Promise<Taken> => takenWith(daemons, run);
      on(
        "",
        "ovs-vsctl",
        "--timeout=10",
        ...[
          "add-br br0 -- set Bridge br0 datapath_type=netdev",
          "add-port br0 p1 -- set Interface p1 type=internal",
          "add-port br0 p2 -- set Interface p2 type=internal",
        ]
          .join(" -- ")
          .split(" "),
      );
      const served = provider("BridgeFlows");
      await served.configure!({ config: { get: (key: string) => (key === TARGETS_KEY ? join(folder, "targets.json") : undefined) } as never });
      const checked = async (list: string[], olds: Properties = {}) => {
        const { inputs, failures } = await served.check!(olds, {
          host: "node1",
          owner: "urn:pulumi:dev::bench::x::flows",
          bridges: [{ bridge: "br0", flows: list }],
        });
        if (failures?.length) throw new Error(failures[0]!.reason);
        return inputs as Properties;
      };
      let state = (await served.create(await checked(flows(0, 0)))).outs as Properties;
      let round = 0;
      let inputs = state;
      const updated = async (list: string[]): Promise<Taken> =>
        taken(async () => {
          inputs = await checked(list, inputs);
          if (!(await served.diff!("id", state, inputs)).changes) throw new Error("nothing has changed");
          state = (await served.update!("id", state, inputs)).outs as Properties;
        });
      const dump = () => taken(() => on("", "ovs-ofctl", "-O", "OpenFlow14", "--names", "dump-flows", "br0"));
      const [one, oneDump] = await pair(() => updated(flows(++round, 0)), dump);
      // As after a refresh that has found drift.
      const [drifted, driftedDump] = await pair(() => ((state = { ...state, digest: "drift-found" }), updated(flows(++round, 0))), dump);
      // The peer's flows have the resource's cookie, so that both have the same to replace.
      const replacing = () =>
        flows(++round, round)
          .map((flow) => `cookie=${String(state["cookie"])},${flow}\n`)
          .join("");
      const [all, replaced] = await pair(
        () => updated(flows(++round, round)),
        () => {
          const text = replacing();
          return taken(() => on(text, "sh", "-c", "cat | ovs-ofctl -O OpenFlow14 --bundle replace-flows br0 /dev/stdin"));
        },
      );
      return [
        line("one changed", one, "dump-flows", oneDump, 1.5),
        line("one changed after drift: all compared with the switch", drifted, "dump-flows", driftedDump, 1.5),
        line("all replaced as one bundle", all, "replace-flows", replaced, 1.2),
      ];
    } finally {
      await sandbox.down();
      await rm(folder, { recursive: true, force: true });
    }
  },
};

const pair = (ours: () => Promise<Taken>, peer: () => Promise<Taken>) => byTurns(ROUNDS, [ours, peer]) as Promise<[Taken, Taken]>;

function line(what: string, ours: Taken, name: string, peer: Taken, most: number): Result {
  const ratio = ours.processor / peer.processor;
  return { what, ours: bothTimes(ours), peer: `${name} ${bothTimes(peer)}`, ratio: ratio.toFixed(2), goal: `at most ${most.toFixed(2)}`, met: ratio <= most };
}
