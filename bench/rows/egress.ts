import { kinds } from "@pulumi-ovn/provider";
import { ensureRows, removeRows, rowUuid, type RowSet } from "@pulumi-ovn/provider/rows";
import { startCentral, type Central } from "@pulumi-ovn/sandbox";
import { bothTimes, byTurns, inTurns, ms, type Taken, timed } from "../kit/measure";
import { taken } from "../kit/processor";
import type { Benchmark, Result } from "../kit/report";
import { northbound, target } from "./rows";

const POLICIES = 1_000;
const [FEW, MANY] = [50, 500];
const OWNER = "bench-egress";

const address = (index: number): string => `203.203.${1 + (index >> 8)}.${index & 255}`;

/** A zone's reroute policies for so many workloads, over these nodes. */
function policies(count: number, hops: Record<string, string[]>): RowSet {
  const workloads = Object.fromEntries(Array.from({ length: count }, (_, index) => [`vm${index}`, { addresses: [address(index)] }]));
  const args = { zone: "z", policy: "bench", router: "tr", switch: "l2", workloads, nextHops: hops, keep: ["203.203.0.0/16"], replies: false };
  return kinds.EgressReroute.render(kinds.EgressReroute.schema.parse(args)).set;
}

const BEFORE = { node2: ["100.88.0.7"], node3: ["100.88.0.9"] };
const AFTER = { node2: ["100.88.0.7"], node4: ["100.88.0.11"] };

/** The same change by the command line tool, all in one call. */
function byNbctl(central: Central, set: RowSet, hops: string): Promise<number> {
  const rows = set.rows.filter(({ table }) => table === "Logical_Router_Policy").filter(({ columns }) => columns.action === "reroute");
  const args = rows.flatMap(({ table, key }) => ["--", "set", table, rowUuid(OWNER, table, key), `nexthops=${hops}`]);
  return timed(async () => {
    const { code, stderr } = await central.run("ovn-nbctl", args.slice(1));
    if (code !== 0) throw new Error(stderr);
  });
}

async function changeAtOnce(central: Central): Promise<Result> {
  const client = await northbound(central);
  const [before, after] = [policies(POLICIES, BEFORE), policies(POLICIES, AFTER)];
  await ensureRows(target(client, OWNER), before);
  const ours = async () => {
    const time = await timed(() => ensureRows(target(client, OWNER), after, { previous: before, assume: "unchanged" }));
    await ensureRows(target(client, OWNER), before, { previous: after });
    return time;
  };
  const peer = async () => {
    const time = await byNbctl(central, before, '["100.88.0.7","100.88.0.11"]');
    await ensureRows(target(client, OWNER), before, { previous: before });
    return time;
  };
  const measured = await inTurns(15, ours, peer);
  await removeRows(target(client, OWNER), before);
  await client.close();
  const ratio = measured.ours / measured.peer;
  return {
    what: `${POLICIES} policies`,
    ours: ms(measured.ours),
    peer: `ovn-nbctl, one call ${ms(measured.peer)}`,
    ratio: ratio.toFixed(2),
    goal: "at most 1.5",
    met: ratio <= 1.5,
  };
}

const ROUNDS = 200;

/** One more workload in a zone that has so many. */
async function oneMore(central: Central, count: number): Promise<{ run: () => Promise<Taken>; end: () => Promise<void> }> {
  const client = await northbound(central);
  const of = target(client, `${OWNER}-${count}`);
  const [before, after] = [policies(count, BEFORE), policies(count + 1, BEFORE)];
  await ensureRows(of, before);
  return {
    run: async () => {
      const time = await taken([central.pid("northbound")!], () => ensureRows(of, after, { previous: before, assume: "unchanged" }));
      await ensureRows(of, before, { previous: after, assume: "unchanged" });
      return time;
    },
    end: () => removeRows(of, before).then(() => client.close()),
  };
}

/** Measures each contender in turns, with its own number of other rows, in its own database. */
async function growth(): Promise<Result> {
  await using few = await startCentral({ northd: false });
  await using many = await startCentral({ northd: false });
  for (const central of [few, many]) await routerAndSwitch(central);
  const sides = [await oneMore(many, MANY), await oneMore(few, FEW)];
  const [ours, peer] = (await byTurns(
    ROUNDS,
    sides.map(({ run }) => run),
  )) as [Taken, Taken];
  await Promise.all(sides.map(({ end }) => end()));
  const ratio = ours.processor / peer.processor;
  return {
    what: `one more to ${MANY}`,
    ours: bothTimes(ours),
    peer: `with ${FEW} ${bothTimes(peer)}`,
    ratio: ratio.toFixed(2),
    goal: "flat (at most 1.5)",
    met: ratio <= 1.5,
  };
}

async function routerAndSwitch(central: Central): Promise<void> {
  for (const args of [
    ["lr-add", "tr"],
    ["ls-add", "l2"],
  ])
    await central.run("ovn-nbctl", args);
}

export const egress: Benchmark = {
  name: "egress",
  title: "Egress policies",
  method: `Next hops of 1,000 reroute policies changed together, fifteen rounds in turns with ovn-nbctl; then one workload added to 50 and to 500, ${ROUNDS} rounds. Medians.`,
  async run() {
    await using central = await startCentral({ northd: false });
    await routerAndSwitch(central);
    return [await changeAtOnce(central), await growth()];
  },
};
