import { attempt, blocked, type Check, connects, type Example, pingable, type Scenario, serving } from "@pulumi-ovn/sandbox";

const PROJECT = "organization/pulumi-ovn-regions";
/** The runner's stack is region east. */
const [EAST, WEST] = [`${PROJECT}/test`, `${PROJECT}/west`];
const PORT = 80;

const node = (index: number, id = index + 1) => ({
  id,
  tunnelAddresses: [`198.18.0.${index}`],
  external: { addresses: [`172.18.0.1${index}/24`, `fc00:f853:ccd:e793::1${index}/64`], nextHops: ["172.18.0.1", "fc00:f853:ccd:e793::1"] },
});
const workload = (index: number) => ({ node: `node${index}`, addresses: [`203.203.0.${16 + index}`, `2010:100:200::1${index}`] });

const east = { nodes: { node1: node(1), node2: node(2) }, workloads: { vm1: workload(1), vm2: workload(2) } };
const west = (id?: number) => ({ nodes: { node3: node(3, id) }, workloads: { vm3: workload(3) } });

const set = (example: Example, stack: string, settings: Readonly<Record<string, unknown>>) =>
  example.run("config", "set-all", "--stack", stack, ...Object.entries(settings).flatMap(([key, value]) => ["--plaintext", `${key}=${JSON.stringify(value)}`]));
const up = (example: Example, stack: string) => example.run("up", "--yes", "--skip-preview", "--stack", stack);

/** A command fails with this text. */
const refused = (what: string, text: string, run: () => Promise<string>): Promise<Check> =>
  attempt(what, text, async () => {
    const output = await run().then(() => "", (error: Error) => error.message);
    if (!output.includes(text)) throw new Error(output || "the command succeeds");
    return undefined;
  });

export default {
  configuration: () => ({ members: JSON.stringify(east) }),

  prove: ({ sandbox, example }): Promise<Check[]> =>
    serving(sandbox, "vm3", PORT, async () => {
      const crosses = (what: string) => connects(sandbox, what, "vm1", "203.203.0.19", PORT, ["vm3"]);
      const stays = (what: string) => blocked(sandbox, what, "vm1", "203.203.0.19", PORT);
      const checks = [await pingable(sandbox, "within east", "vm1", "203.203.0.18")];

      await example.run("stack", "init", WEST);
      await set(example, WEST, { members: west(2), others: [EAST] });
      checks.push(await refused("west takes an id of east", "nodes.node3.id: node id 2 is already used by node1", () => example.run("preview", "--stack", WEST)));
      await set(example, WEST, { members: west() });
      await up(example, WEST);
      checks.push(await stays("east does not know west yet"));
      await set(example, EAST, { others: [WEST] });
      await up(example, EAST);
      checks.push(await crosses("east to west"), await pingable(sandbox, "by IPv6", "vm1", "2010:100:200::13"));

      await set(example, WEST, { members: { ...west(), workloads: { ...west().workloads, vm4: { node: "node3", addresses: ["203.203.0.20"] } } } });
      await up(example, WEST);
      const due = await example.run("preview", "--stack", EAST, "--diff");
      const row = "+ Logical_Switch_Port vm4";
      checks.push({ what: "east's preview has what west added", detail: row, ...(!due.includes(row) && { failure: due }) });

      await set(example, EAST, { others: [] });
      await up(example, EAST);
      checks.push(await stays("east no longer knows west"));
      await example.run("destroy", "--yes", "--skip-preview", "--stack", WEST);
      return checks;
    }),
} satisfies Scenario;
