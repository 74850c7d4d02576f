import { expandLayer2Network, kinds, type Layer2NetworkArgs, type ZonePlan } from "@pulumi-ovn/provider";
import { setsOf } from "../../support/live-network";
import { rowsOf } from "./helpers";
import { dual, node } from "./networks";

/** One central with three hypervisors, and a zone of one. */
const farm: Layer2NetworkArgs = {
  ...dual,
  nodes: {
    node1: {
      ...node(1),
      additionalChassis: { h2: { tunnelAddresses: ["198.18.0.12"] }, h3: { tunnelAddresses: ["198.18.0.13", "2001:db8::13"] }, silent: {} },
    },
    node2: { ...node(2), encapsulation: "vxlan", additionalChassis: { h4: { tunnelAddresses: ["198.18.0.14"] } } },
  },
  tunnelKeys: { switch: 4_094, router: 4_095 },
  workloads: {
    vm1: { node: "node1", addresses: ["203.203.0.17"] },
    vm2: { node: "node1", chassis: "h2", addresses: ["203.203.0.18"] },
    vm3: { node: "node2", chassis: "h4", addresses: ["203.203.0.19"] },
  },
};

const plan = (args: Layer2NetworkArgs) => expandLayer2Network(args).zones;
const remote = (name: string, hostname: string, ...encaps: string[]) => ({
  [`Chassis ${name}`]: { name, hostname, other_config: { "is-remote": "true" }, encaps: encaps.map((key) => `<${key}>`) },
});
const encap = (name: string, type: string, ip: string, oneOfSeveral = false) => ({
  [`Encap ${name} ${type}${oneOfSeveral ? ` via ${ip}` : ""}`]: { type, ip, chassis_name: name, options: { csum: "true" } },
});
const port = (name: string, last: number, key: number, type: string, chassis: string) => {
  const address = `0a:58:cb:cb:00:${last.toString(16)} 203.203.0.${last}`;
  const own = type === "" ? { port_security: [address] } : {};
  return {
    [`Logical_Switch_Port ${name}`]: {
      name,
      type,
      addresses: [address],
      ...own,
      options: { "requested-tnl-key": String(key), "requested-chassis": chassis },
      in: "Logical_Switch blue_ovn_layer2_switch ports",
    },
  };
};

describe("a zone of several chassis", () => {
  test("other zones have every chassis with tunnel addresses, in its node's encapsulation", () => {
    const { node1, node2 } = plan(farm) as { node1: ZonePlan; node2: ZonePlan };
    expect(rowsOf(kinds.RemoteChassis, node1.remoteChassis)).toEqual({
      ...remote("node2", "node2", "node2 vxlan"),
      ...encap("node2", "vxlan", "198.18.0.2"),
      ...remote("h4", "h4", "h4 vxlan"),
      ...encap("h4", "vxlan", "198.18.0.14"),
    });
    expect(rowsOf(kinds.RemoteChassis, node2.remoteChassis)).toEqual({
      ...remote("node1", "node1", "node1 geneve"),
      ...encap("node1", "geneve", "198.18.0.1"),
      ...remote("h2", "h2", "h2 geneve"),
      ...encap("h2", "geneve", "198.18.0.12"),
      ...remote("h3", "h3", "h3 geneve via 198.18.0.13", "h3 geneve via 2001:db8::13"),
      ...encap("h3", "geneve", "198.18.0.13", true),
      ...encap("h3", "geneve", "2001:db8::13", true),
    });
  });

  test("a zone with only its own chassis has no remote ones", () => {
    const alone = plan({ ...farm, nodes: { node1: farm.nodes.node1! }, workloads: {} });
    expect(alone.node1!.remoteChassis).toBeUndefined();
  });

  test("tunnel addresses of further chassis suffice for a row", () => {
    const { tunnelAddresses: _own, ...node1 } = farm.nodes.node1!;
    const zones = plan({ ...farm, nodes: { ...farm.nodes, node1 } });
    expect(Object.keys(zones.node2!.remoteChassis!.chassis)).toEqual(["h2", "h3"]);
  });

  test("workloads are on their named chassis, in every zone", () => {
    const { node1, node2 } = plan(farm) as { node1: ZonePlan; node2: ZonePlan };
    expect(rowsOf(kinds.WorkloadPorts, node1.workloads)).toEqual({
      ...port("vm1", 17, 27, "", "node1"),
      ...port("vm2", 18, 28, "", "h2"),
      ...port("vm3", 19, 29, "remote", "h4"),
    });
    expect(rowsOf(kinds.WorkloadPorts, node2.workloads)).toEqual({
      ...port("vm1", 17, 27, "remote", "node1"),
      ...port("vm2", 18, 28, "remote", "h2"),
      ...port("vm3", 19, 29, "", "h4"),
    });
  });

  test("routers and switches are on the nodes' own chassis, and do not change", () => {
    const bare = Object.fromEntries(Object.entries(farm.nodes).map(([name, { additionalChassis: _further, ...rest }]) => [name, rest]));
    const home = { ...farm.workloads, vm2: { ...farm.workloads!.vm2!, chassis: "node1" }, vm3: { ...farm.workloads!.vm3!, chassis: "node2" } };
    const [without, zones] = [plan({ ...farm, nodes: bare, workloads: home }), plan({ ...farm, workloads: home })];
    for (const zone of ["node1", "node2"]) {
      const [a, b] = [setsOf(without[zone]!), setsOf(zones[zone]!)];
      const changed = [...b.keys()].filter((name) => JSON.stringify(a.get(name)) !== JSON.stringify(b.get(name)));
      expect(changed).toEqual(["RemoteChassis"]);
    }
  });
});
