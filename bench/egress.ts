import { kinds } from "@pulumi-ovn/provider";
import { ensureRows, removeRows, rowUuid, type RowSet } from "@pulumi-ovn/provider/rows";
import { startCentral, type Central } from "@pulumi-ovn/sandbox";
import { inTurns, median, ms, timed } from "./measure";
import type { Benchmark, Result } from "./report";
import { northbound, target } from "./rows";

const POLICIES = 1_000;
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
  const rows = set.rows.filter(({ table }) => table === "Logical_Router_Policy" ).filter(({ columns }) => columns.action === "reroute");
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
  return { what: `${POLICIES} policies`, ours: ms(measured.ours), peer: `ovn-nbctl, one call ${ms(measured.peer)}`, ratio: ratio.toFixed(2), goal: "at most 1.5", met: ratio <= 1.5 };
}

/** One more workload in a zone that has so many. */
async function oneMore(central: Central, count: number): Promise<number> {
  const client = await northbound(central);
  const [before, after] = [policies(count, BEFORE), policies(count + 1, BEFORE)];
  await ensureRows(target(client, OWNER), before);
  const times: number[] = [];
  for (let round = 0; round < 60; round++) {
    times.push(await timed(() => ensureRows(target(client, OWNER), after, { previous: before, assume: "unchanged" })));
    await ensureRows(target(client, OWNER), before, { previous: after });
  }
  await removeRows(target(client, OWNER), before);
  await client.close();
  return median(times);
}

export const egress: Benchmark = {
  name: "egress",
  title: "Egress policies",
  method: "Reroute policies of one zone: next hops of 1,000 changed at once, fifteen rounds in turns with ovn-nbctl; then one workload added to 50 and to 500. Medians.",
  async run() {
    await using central = await startCentral({ northd: false });
    for (const args of [["lr-add", "tr"], ["ls-add", "l2"]]) await central.run("ovn-nbctl", args);
    const atOnce = await changeAtOnce(central);
    const [few, many] = [await oneMore(central, 50), await oneMore(central, 500)];
    const ratio = many / few;
    return [atOnce, { what: "one more beside 500", ours: ms(many), peer: `beside 50 ${ms(few)}`, ratio: ratio.toFixed(2), goal: "flat (at most 1.5)", met: ratio <= 1.5 }];
  },
};
