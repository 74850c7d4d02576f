import { startCentral } from "@pulumi-ovn/sandbox";
import type { Benchmark } from "../kit/report";
import { Project } from "./project";

const NETWORK = `
const keys = new ovn.TunnelKeyPool("keys", { owners: { blue: 2 } });
const node = (n) => ({ id: n + 1, tunnelAddresses: ["198.18.0." + n], external: { addresses: ["172.18.0." + (10 + n) + "/24"], nextHops: ["172.18.0.1"] } });
new ovn.Layer2Network("blue", {
  name: "blue", subnets: ["203.203.0.0/16", "2010:100:200::/60"], tunnelKeys: keys.of("blue"), waitFor: "none",
  nodes: { node1: node(1), node2: node(2), node3: node(3) },
  workloads: { vm1: { node: "node1", addresses: ["203.203.0.17", "2010:100:200::11"] }, vm2: { node: "node2", addresses: ["203.203.0.18", "2010:100:200::12"] } },
});
new pulumi.CustomResource("pulumi-nodejs:dynamic:Resource", "trivial", { name: "x", __provider: "exports.handler=()=>({create:async(i)=>({id:'x',outs:i})})" });`;

interface Resource {
  readonly type: string;
  readonly inputs?: object;
  readonly outputs?: object;
}

/** Bytes that the resource itself puts into the state, without the engine's equal bookkeeping. */
const size = ({ inputs, outputs }: Resource): number => JSON.stringify(inputs ?? {}).length + JSON.stringify(outputs ?? {}).length;

export const state: Benchmark = {
  name: "state",
  title: "State per resource",
  method: "Inputs and outputs, as compact JSON, of a dual-stack network over three zones with two workloads.",
  async run() {
    await using a = await startCentral({ northd: false });
    await using b = await startCentral({ northd: false });
    await using c = await startCentral({ northd: false });
    const zones = Object.fromEntries([a, b, c].map(({ northbound, southbound }, index) => [`node${index + 1}`, { northbound, southbound }]));
    await using project = await Project.create(NETWORK, zones);
    await project.run("up", "--yes", "--skip-preview");
    const { deployment } = JSON.parse(await project.run("stack", "export")) as { deployment: { resources: Resource[] } };
    const rows = deployment.resources.filter(({ type }) => type.startsWith("pulumi-nodejs:dynamic/ovn:"));
    const trivial = size(deployment.resources.find(({ type }) => type === "pulumi-nodejs:dynamic:Resource")!);
    const sizes = rows.map(size);
    const mean = sizes.reduce((sum, value) => sum + value, 0) / sizes.length;
    const kilobytes = (value: number) => `${(value / 1000).toFixed(2)} kB`;
    const largest = Math.max(...sizes);
    return [
      {
        what: "mean",
        ours: kilobytes(mean),
        peer: `trivial ${kilobytes(trivial)}`,
        ratio: (mean / trivial).toFixed(1),
        goal: "at most 4 kB",
        met: mean <= 4000,
      },
      {
        what: "largest",
        ours: kilobytes(largest),
        peer: `trivial ${kilobytes(trivial)}`,
        ratio: (largest / trivial).toFixed(1),
        goal: "at most 4 kB",
        met: largest <= 4000,
      },
    ];
  },
};
