import { Baseline, OUTSIDE, programs, type SimulateQuestion as Question } from "@pulumi-ovn/cli/testing";
import { acl, floating, networkOf, rowsIn } from "../../../support/agreement/stacks";
import { blue } from "../../../support/network";
import { type Declared, planBetween } from "../../../support/planned";

jest.setTimeout(120_000);

const OUTSIDE_ASSUMED = "routing, neighbours and firewalls outside of OVN are assumed to pass packets";

/** Whether vm1 reaches a port outside or of another address, with rows that no component makes. */
async function answer(rows: readonly Declared[], port: number, to: Question["to"] = { kind: "outside", address: OUTSIDE[4] }) {
  const network = blue(["node1", "node2"], { tunnelKeys: { switch: 16_715_779, router: 16_715_780 } });
  const nodes = Object.fromEntries(Object.entries(network.nodes).map(([name, node]) => [name, { ...node, topology: "gateway" as const }]));
  const stack = [...networkOf({ ...network, nodes }), ...rows];
  await using baseline = await Baseline.create(await planBetween(stack, stack), programs);
  expect(baseline.world.omissions).toEqual([]);
  const { reach, there, back, unknowns } = await baseline.answer({
    from: { kind: "workload", name: "vm1" },
    source: "203.203.0.17",
    to,
    family: 4,
    protocol: { name: "tcp", port },
  });
  return { reach, source: there.source, back: back?.outcome, unknowns };
}

it("does not know the gateway of workloads if another router with its address requests the MAC of an address without a port", async () => {
  const withFloating = (inside: string) => answer(rowsIn("node2", { floating: floating("node2", "172.18.0.52", inside) }), 22);
  expect(await withFloating("203.203.0.18")).toEqual({
    reach: true,
    source: "172.18.0.11",
    back: { kind: "delivered", zone: "node1", port: "vm1" },
    unknowns: [OUTSIDE_ASSUMED],
  });
  expect(await withFloating("203.203.0.99")).toEqual({
    reach: undefined,
    source: "203.203.0.17",
    unknowns: ["a router of another zone with the gateway's address requests the MAC of an address without a port, so workloads send to that router"],
  });
});

it("drops a reply by an ACL without a port, because the port of a router does not send the reply to conntrack", async () => {
  const rows = rowsIn("node1", {
    related: acl(1001, 'outport == "vm1" && udp', "allow-related"),
    drop: acl(1000, "tcp.dst != 22 && tcp", "drop", "from-lport"),
  });
  expect(await answer(rows, 22)).toEqual({
    reach: false,
    source: "172.18.0.11",
    back: { kind: "lost", zone: "node1", why: "dropped in table ls_in_acl_action of blue_ovn_layer2_switch" },
    unknowns: [OUTSIDE_ASSUMED],
  });
});

it("lets the reply to a floating address return with that address as its source", async () => {
  const dropping = (source: string) => ({ drop: acl(1000, `outport == "vm1" && ip4.src == ${source}`, "drop") });
  const answers = ["203.203.0.18", "172.18.0.52"].map((source) =>
    answer([...rowsIn("node1", dropping(source)), ...rowsIn("node2", { floating: floating("node2", "172.18.0.52", "203.203.0.18") })], 22, {
      kind: "published",
      address: "172.18.0.52",
    }),
  );
  const [own, published] = await Promise.all(answers);
  expect([own?.reach, own?.back]).toEqual([true, { kind: "delivered", zone: "node1", port: "vm1" }]);
  expect([published?.reach, published?.back]).toEqual([
    false,
    { kind: "lost", zone: "node1", why: "dropped in table ls_out_acl_action of blue_ovn_layer2_switch" },
  ]);
});

it("creates chassis of other zones that it has assumed for the state", async () => {
  const all = networkOf(blue(["node1", "node2"], { tunnelKeys: { switch: 16_715_779, router: 16_715_780 } }));
  const plan = await planBetween(
    all.filter(({ kind }) => kind !== "RemoteChassis"),
    all,
  );
  expect(plan.resources.filter(({ operation }) => operation === "create").map(({ kind }) => kind)).toEqual(["RemoteChassis", "RemoteChassis"]);
  await using baseline = await Baseline.create(plan, programs);
  const { omissions, impact } = await baseline.simulate(plan);
  expect([omissions, impact]).toEqual([[], []]);
});
