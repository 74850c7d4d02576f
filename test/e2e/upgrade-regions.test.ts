import { blue } from "../support/network";
import { mustUpgrade } from "../support/upgrade-walk";
import { Workspace } from "../support/workspace";
import { TestZones } from "../support/zones";

jest.setTimeout(600_000);

/** Nodes by the stack that writes their zones. */
const STACKS = { dev: "node1", west: "node2" } as const;
type Stack = keyof typeof STACKS;
const NODES = Object.values(STACKS);

const NETWORK = blue(NODES, { tunnelKeys: { switch: 16_715_779, router: 16_715_780 } });
const OLD = { ...NETWORK, nodes: Object.fromEntries(NODES.map((node) => [node, { ...NETWORK.nodes[node]!, topology: "gateway" }])) };
const PROGRAM = `new ovn.Layer2Network("blue", { ...${JSON.stringify(OLD)}, zones: [new pulumi.Config().require("zone")], waitFor: "southbound" });`;

let zones: TestZones;
let workspace: Workspace;
beforeAll(async () => {
  zones = await TestZones.start(NODES);
  workspace = await Workspace.create(PROGRAM, zones.config);
  await workspace.must("stack", "init", "west", "--copy-config-from", "dev");
  await both(async (stack) => {
    await workspace.must("config", "set", "zone", STACKS[stack], "--stack", stack);
    await workspace.must("up", "--yes", "--skip-preview", "--stack", stack);
  });
});
afterAll(async () => {
  await workspace?.[Symbol.asyncDispose]();
  await zones?.stop();
});

const both = <T>(work: (stack: Stack) => Promise<T>): Promise<T[]> => Promise.all((["dev", "west"] as const).map(work));
/** The last line that each stack's upgrade prints. */
const upgraded = (...args: string[]) =>
  both(async (stack) => (await mustUpgrade(workspace, "--stack", stack, "--loaded", ...args)).trimEnd().split("\n").at(-1));
const topologies = () => both(async (stack) => JSON.parse(await workspace.must("config", "get", "ovn:topology", "--stack", stack)) as unknown);

it("upgrades a network of two stacks, and back: each moves its own nodes, and continues when its configuration says that the others have moved", async () => {
  const awaits = (node: string) =>
    `network blue: stage "move", 1 of 2 nodes on the transit topology; other stacks have to move ${node}: run the upgrade there, then name the new topology in ovn:topology here (docs/how-to/regions.md)`;
  const left = (stages: string) => Array(2).fill(`${stages} left; bring the other stacks as far, then run again (docs/how-to/regions.md)`) as string[];
  expect(await upgraded()).toEqual(left("1 stage"));
  expect(await upgraded()).toEqual([awaits("node2"), awaits("node1")]);
  expect(await topologies()).toEqual([
    { blue: { nodes: { node1: "transit", node2: "gateway" }, upgrade: "move" } },
    { blue: { nodes: { node1: "gateway", node2: "transit" }, upgrade: "move" } },
  ]);

  const other = { dev: "node2", west: "node1" };
  await both((stack) => workspace.must("config", "set", "--path", `ovn:topology.blue.nodes.${other[stack]}`, "transit", "--stack", stack));
  expect(await upgraded()).toEqual(left("2 stages"));
  expect(await topologies()).toEqual(Array(2).fill({ blue: { nodes: { node1: "transit", node2: "transit" }, upgrade: "follow" } }));

  // Back from a later stage, one stage in both stacks: then each stack moves its own nodes, and awaits the others.
  expect(await upgraded("--back")).toEqual(left("1 stage"));
  expect(await topologies()).toEqual(Array(2).fill({ blue: { nodes: { node1: "transit", node2: "transit" }, upgrade: "move" } }));
  expect(await upgraded("--back")).toEqual([awaits("node2"), awaits("node1")]);
  expect(await topologies()).toEqual([
    { blue: { nodes: { node1: "gateway", node2: "transit" }, upgrade: "move" } },
    { blue: { nodes: { node1: "transit", node2: "gateway" }, upgrade: "move" } },
  ]);
  await both((stack) => workspace.must("config", "set", "--path", `ovn:topology.blue.nodes.${other[stack]}`, "gateway", "--stack", stack));
  const end = `network blue: stage "move", 0 of 2 nodes on the transit topology; nothing is left to do`;
  expect(await upgraded("--back")).toEqual([end, end]);
  expect(await topologies()).toEqual(Array(2).fill({ blue: { nodes: { node1: "gateway", node2: "gateway" }, upgrade: "move" } }));
});
