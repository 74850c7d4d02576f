import { startCentral } from "@pulumi-ovn/sandbox";
import { inTurns, timed } from "../kit/measure";
import type { Benchmark } from "../kit/report";
import { Project } from "./project";

const RESOURCES = 200;

const OURS = `for (let i = 0; i < ${RESOURCES}; i++) new ovn.Layer2Switch("s" + i, { zone: "a", name: "s" + i, subnets: ["10.0.0.0/24"] });`;

/** Resources that do nothing, served by the same stock provider process. */
const TRIVIAL = `
const text = "exports.handler=()=>({check:async(o,n)=>({inputs:n}),diff:async()=>({changes:false}),create:async(i)=>({id:i.name,outs:i}),delete:async()=>{}})";
for (let i = 0; i < ${RESOURCES}; i++) new pulumi.CustomResource("pulumi-nodejs:dynamic:Resource", "s" + i, { zone: "a", name: "s" + i, subnets: ["10.0.0.0/24"], __provider: text });`;

export const update: Benchmark = {
  name: "update",
  title: "pulumi up of 200 resources",
  method: `${RESOURCES} switches in a new stack (ovsdb-server without northd) and ${RESOURCES} trivial resources; medians of three rounds in turns.`,
  async run() {
    const up = (program: string) => async () => {
      await using central = await startCentral({ northd: false });
      await using project = await Project.create(program, { a: central.northbound });
      return await timed(() => project.run("up", "--yes", "--skip-preview")); // awaited here: the project goes with this block
    };
    const { ours, peer } = await inTurns(3, up(OURS), up(TRIVIAL));
    const ratio = ours / peer;
    return [
      {
        what: "up",
        ours: `${(ours / 1000).toFixed(2)} s`,
        peer: `trivial ${(peer / 1000).toFixed(2)} s`,
        ratio: ratio.toFixed(2),
        goal: "at most 1.10",
        met: ratio <= 1.1,
      },
    ];
  },
};
