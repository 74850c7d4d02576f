import { SandboxError, type Workload } from "@pulumi-ovn/sandbox";
import { layout, namespacesOf, sitesOf } from "@pulumi-ovn/sandbox/testing";

const refusal = (make: () => unknown): string => {
  try {
    make();
  } catch (error) {
    if (error instanceof SandboxError) return `${error.code}: ${error.message}`;
  }
  throw new Error("not refused");
};
const withWorkload =
  (workload: Partial<Workload>): (() => unknown) =>
  () =>
    layout({ workloads: [{ name: "vm9", host: "node1", ...workload }] });

test("by default there are three hosts with one workload each", () => {
  const plan = layout();
  expect(plan.name).toBe("default");
  expect(plan.frr).toBe(false);
  expect(plan.ovn).toBe(true);
  expect(plan.hosts.map((host) => host.name)).toEqual(["node1", "node2", "node3"]);
  expect(plan.workloads.map(({ name, host }) => [name, host])).toEqual([
    ["vm1", "node1"],
    ["vm2", "node2"],
    ["vm3", "node3"],
  ]);
});

test("workloads can be chosen, also none", () => {
  expect(layout({ hosts: 1, workloads: [] }).workloads).toEqual([]);
  const workload = { name: "web", host: "node2", ifaceId: "default_web", addresses: ["10.0.0.2/24"], gateways: ["10.0.0.1"] };
  expect(layout({ workloads: [workload] }).workloads).toEqual([workload]);
});

test.each([[0], [101], [1.5], [NaN]])("%d hosts are refused", (hosts) => {
  expect(refusal(() => layout({ hosts }))).toBe(`hosts: the number of hosts is a whole number from 1 to 100, not ${hosts}`);
});

test("a number of hosts shares the zone of the first one; the last zone has the remaining hosts", () => {
  const zones = (hosts: number, hostsPerZone?: number): string =>
    layout({ hosts, hostsPerZone })
      .hosts.map(({ name, zone }) => `${name}:${zone}`)
      .join(" ");
  expect(zones(3)).toBe("node1:node1 node2:node2 node3:node3");
  expect(zones(5, 2)).toBe("node1:node1 node2:node1 node3:node3 node4:node3 node5:node5");
  expect(zones(3, 9)).toBe("node1:node1 node2:node1 node3:node1");
  for (const hostsPerZone of [0, 1.5, NaN])
    expect(refusal(() => layout({ hostsPerZone }))).toBe(`hosts: the number of hosts in a zone is a whole number from 1, not ${hostsPerZone}`);
});

test.each([[""], ["../up"], ["UPPER"], ["a b"], ["x".repeat(21)]])("the name %j is refused", (name) => {
  expect(refusal(() => layout({ name }))).toBe(`name: a sandbox's name has 1 to 20 of a-z, 0-9 and "-", not ${JSON.stringify(name)}`);
});

test("refuses two namespaces with one name", () => {
  expect(refusal(withWorkload({ name: "node1" }))).toBe("place: two namespaces are named node1");
  expect(refusal(withWorkload({ name: "ext" }))).toBe("place: two namespaces are named ext");
});

test("a workload is refused if it is invalid, or would be more than one word of a script", () => {
  expect(refusal(withWorkload({ name: "a-name-of-16-chars" }))).toMatch(/^workload: a workload's name has at most 15 /);
  expect(refusal(withWorkload({ name: "a;b" }))).toMatch(/^workload: a workload's name/);
  expect(refusal(withWorkload({ host: "node4" }))).toBe("workload: workload vm9: there is no host node4; there are node1, node2, node3");
  expect(refusal(withWorkload({ mac: "0a:58" }))).toBe('workload: workload vm9: not a MAC address: "0a:58"');
  expect(refusal(withWorkload({ addresses: ["10.0.0.1"] }))).toBe('workload: workload vm9: not an address with prefix length: "10.0.0.1"');
  expect(refusal(withWorkload({ gateways: ["$(id)"] }))).toBe('workload: workload vm9: not an address: "$(id)"');
  expect(refusal(withWorkload({ ifaceId: "a b" }))).toMatch(/^workload: workload vm9: iface-id has letters/);
});

test("without OVN a workload may name its bridge; with OVN only br-int is possible", () => {
  const bridged = (bridge: string, ovn: boolean): unknown => layout({ ovn, workloads: [{ name: "vm9", host: "node1", bridge }] }).workloads[0]!.bridge;
  expect(bridged("tier1", false)).toBe("tier1");
  expect(refusal(() => bridged("tier1", true))).toBe("workload: workload vm9: with OVN it is attached to br-int");
  for (const name of ["", "a;b", "a-name-of-16-chars"])
    expect(refusal(() => bridged(name, false))).toBe(`workload: workload vm9: not a bridge's name: ${JSON.stringify(name)}`);
});

test("Kubernetes includes FRR", () => {
  expect(layout({ kubernetes: true })).toMatchObject({ frr: true, kubernetes: true });
  expect(layout({ kubernetes: true, frr: false })).toMatchObject({ frr: true });
  expect(layout({ frr: true })).toMatchObject({ frr: true, kubernetes: false });
});

test("a fabric includes FRR, and two leaves, whose names workloads may not have", () => {
  const plan = layout({ fabric: true, hosts: 1 });
  expect(plan).toMatchObject({ frr: true, fabric: true });
  expect(sitesOf(plan)).toEqual(["ext", "leaf1", "leaf2", "node1"]);
  expect(namespacesOf(plan)).toEqual(["ext", "leaf1", "leaf2", "node1", "vm1"]);
  const named = (fabric: boolean): unknown => layout({ fabric, workloads: [{ name: "leaf2", host: "node1" }] });
  expect(refusal(() => named(true))).toBe("place: two namespaces are named leaf2");
  expect(namespacesOf(layout({ hosts: 1 }))).toEqual(["ext", "node1", "vm1"]);
  expect(() => named(false)).not.toThrow();
  expect(refusal(() => layout({ fabric: true, kubernetes: true }))).toBe("fabric: a sandbox with Kubernetes has no fabric: frr-k8s configures the hosts' FRR");
});
