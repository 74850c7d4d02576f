import { type Running, type Sandbox, up } from "@pulumi-ovn/sandbox";
import { Workspace } from "../support/workspace";
import { acquainted, connections, expectSpread, serve, talkers } from "./egress-ip-traffic";

const [A4, B4, A6, B6] = ["172.18.0.202", "172.18.0.203", "fc00:f853:ccd:e793::ca", "fc00:f853:ccd:e793::cb"] as const;
const [EXT4, EXT6] = ["172.18.0.1", "fc00:f853:ccd:e793::1"] as const;

let sandbox: Sandbox;
let server: Running;

jest.setTimeout(300_000);
beforeAll(async () => {
  sandbox = await up({ name: "test-egress-more" });
  server = await serve(sandbox, "ext");
}, 300_000);
afterAll(async () => {
  server?.signal("SIGKILL");
  await sandbox?.down();
});

/** A network whose node2 has single addresses, and whose node3 has no way to anywhere but its own subnet. */
const program = (policy: object) => `
const keys = new ovn.TunnelKeyPool("keys", { owners: { blue: 2 } });
const blue = new ovn.Layer2Network("blue", {
  name: "blue", subnets: ["203.203.0.0/16", "2010:100:200::/60"], tunnelKeys: keys.of("blue"),
  nodes: {
    node1: { id: 2, tunnelAddresses: ["198.18.0.1"], external: { addresses: ["172.18.0.11/24", "fc00:f853:ccd:e793::b/64"] } },
    node2: { id: 3, tunnelAddresses: ["198.18.0.2"], external: { addresses: ["172.18.0.12/32", "fc00:f853:ccd:e793::c/128"], nextHops: ["${EXT4}", "${EXT6}"] } },
    node3: { id: 4, tunnelAddresses: ["198.18.0.3"], external: { addresses: ["172.18.0.13/24", "fc00:f853:ccd:e793::d/64"] } },
  },
  workloads: {
    vm1: { node: "node1", addresses: ["203.203.0.17", "2010:100:200::11"] },
    vm2: { node: "node2", addresses: ["203.203.0.18", "2010:100:200::12"] },
  },
});
new ovn.EgressIPPolicy("egress", { network: blue, workloads: ["vm1", "vm2"], requireDefaultGateway: false, ...${JSON.stringify(policy)} });
`;

const ON_2_AND_3 = { [A4]: "node2", [B4]: "node3", [A6]: "node2", [B6]: "node3" };

async function expectShares(from: string, host: string, ...sources: string[]): Promise<void> {
  await acquainted(sandbox, from, host, 40);
  expectSpread(await connections(sandbox, from, host, 300), 300, ...sources);
}

it("reaches the external subnet without a default gateway, by mark and by address; an added address may reset connections", async () => {
  await using workspace = await Workspace.create(program({ addresses: ON_2_AND_3 }), sandbox.zones);
  await workspace.up();
  for (const vm of ["vm1", "vm2"]) {
    await expectShares(vm, EXT4, A4, B4);
    await expectShares(vm, EXT6, A6, B6);
  }

  // node3 has no route beyond the external subnet, so its share is lost: such an address is refused unless the program allows it.
  const { tally } = await connections(sandbox, "vm1", "192.0.2.1", 80, "2500");
  expect(Object.keys(tally).sort()).toEqual([A4, "timeout"]);
  expect(tally["timeout"]).toBeGreaterThan(15);
  await workspace.write(program({ addresses: ON_2_AND_3, requireDefaultGateway: true }));
  const without = await workspace.run("preview", "--stack", "dev");
  expect(without.code).not.toBe(0);
  expect(without.stdout).toContain(
    `addresses["${B4}"]: node "node3" has no IPv4 default gateway outside (nextHops), so what is to leave there with ${B4} would be lost`,
  );
  expect(without.stdout).toContain(`addresses["${B6}"]: node "node3" has no IPv6 default gateway outside (nextHops)`);
  expect(without.stdout).not.toContain(A4);

  // Packets pass the tunnel without a mark and get it on the egress node: the spread is as before.
  await workspace.write(program({ addresses: ON_2_AND_3, mark: 50_000 }));
  await workspace.up();
  for (const vm of ["vm1", "vm2"]) {
    await expectShares(vm, EXT4, A4, B4);
    await expectShares(vm, EXT6, A6, B6);
  }

  // A move by which the order of the next hops changes: every connection changes its node.
  const end = await talkers(sandbox, "vm1", EXT4, 50);
  await workspace.write(program({ addresses: { ...ON_2_AND_3, [B4]: "node1", [B6]: "node1" }, mark: 50_000 }));
  await workspace.up();
  console.log("egress move that changes the order of next hops:", JSON.stringify(await end()));
  await expectShares("vm2", EXT4, A4, B4);
  await expectShares("vm2", EXT6, A6, B6);

  // Refused before anything is written.
  await workspace.write(program({ addresses: { [A4]: "node9", "203.203.7.7": "node2" }, workloads: ["vm1", "vm7"], mark: 0 }));
  const refused = await workspace.run("up", "--yes", "--skip-preview", "--stack", "dev");
  expect(refused.code).not.toBe(0);
  const said = refused.stdout + refused.stderr;
  expect(said).toContain('EgressIPPolicy "egress" can\'t be made from these arguments:');
  expect(said).toContain('addresses["172.18.0.202"]: "node9" is not one of the network\'s nodes: node1, node2, node3; did you mean "node1"? [unknown-node]');
  expect(said).toContain(
    'addresses["203.203.7.7"]: 203.203.7.7 is inside of the network\'s own subnet 203.203.0.0/16: it must be an address outside [overlap]',
  );
  expect(said).toContain('workloads[1]: "vm7" is not one of the network\'s workloads: vm1, vm2; did you mean "vm1"? [unknown-workload]');
  expect(said).toContain("mark: 0 means that a packet has no mark: use 1 to 4294967295 [out-of-range]");
  await expectShares("vm1", EXT4, A4, B4);

  const two = `${program({ addresses: ON_2_AND_3, mark: 7 })}new ovn.EgressIPPolicy("other", { network: blue, workloads: ["vm2"], addresses: { "172.18.0.204": "node1" }, mark: 7, requireDefaultGateway: false });`;
  await workspace.write(two);
  expect((await workspace.run("preview", "--stack", "dev")).stdout).toContain(
    'OVN_EGRESS_CONFLICT: EgressIPPolicy "other": mark 7 is used by EgressIPPolicy "egress" already; choose another one',
  );

  await workspace.must("destroy", "--yes", "--skip-preview", "--stack", "dev");
});
