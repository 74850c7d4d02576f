import { remoteChassis, workloadPorts } from "@pulumi-ovn/provider";
import { complaints } from "../../support/refusals";
import { rendered, rowsOf } from "./helpers";

describe("workload ports", () => {
  const vm1 = { addresses: ["203.203.0.17", "2010:100:200::11"], tunnelKey: 27 };
  const vm2 = { addresses: ["203.203.0.18", "2010:100:200::12"], tunnelKey: 28, remote: true, chassis: ["h2"] };
  const base = { zone: "node1", switch: "l2", ports: { vm1, vm2 } };

  test("are local and remote", () => {
    expect(rowsOf(workloadPorts, base)).toEqual({
      "Logical_Switch_Port vm1": {
        name: "vm1",
        type: "",
        addresses: ["0a:58:cb:cb:00:11 203.203.0.17 2010:100:200::11"],
        port_security: ["0a:58:cb:cb:00:11 203.203.0.17 2010:100:200::11"],
        options: { "requested-tnl-key": "27" },
        in: "Logical_Switch l2 ports",
      },
      "Logical_Switch_Port vm2": {
        name: "vm2",
        type: "remote",
        addresses: ["0a:58:cb:cb:00:12 203.203.0.18 2010:100:200::12"],
        options: { "requested-tnl-key": "28", "requested-chassis": "h2" },
        in: "Logical_Switch l2 ports",
      },
    });
  });

  test("do not depend on the order of ports and addresses, but of chassis", () => {
    const turned = { ...base, ports: { vm2: { ...vm2, addresses: vm2.addresses.toReversed() }, vm1: { ...vm1, addresses: vm1.addresses.toReversed() } } };
    expect(rendered(workloadPorts, turned)).toEqual(rendered(workloadPorts, base));
    const migrating = { ...base, ports: { vm1: { ...vm1, chassis: ["h2", "h1"] } } };
    expect(rowsOf(workloadPorts, migrating)["Logical_Switch_Port vm1"]).toMatchObject({ options: { "requested-chassis": "h2,h1" } });
    const held = { ...base, ports: { vm1: { ...vm1, chassis: ["h2", "h1"], activation: "rarp" } } };
    expect(rowsOf(workloadPorts, held)["Logical_Switch_Port vm1"]).toMatchObject({
      options: { "requested-tnl-key": "27", "requested-chassis": "h2,h1", "activation-strategy": "rarp" },
    });
  });

  test("have MAC, DHCP, no port security, and the port's external_ids before common ones", () => {
    const dhcp = "0b0d4b50-7f1f-4c6f-9b9d-0a5d1f6f3c11";
    const port = { ...vm1, mac: "0A:58:00:00:00:01", portSecurity: false, dhcpv4Options: dhcp, dhcpv6Options: dhcp, externalIds: { pod: "true", a: "own" } };
    expect(rowsOf(workloadPorts, { ...base, ports: { vm1: port }, externalIds: { a: "all", b: "all" } })["Logical_Switch_Port vm1"]).toEqual({
      name: "vm1",
      type: "",
      addresses: ["0a:58:00:00:00:01 203.203.0.17 2010:100:200::11"],
      options: { "requested-tnl-key": "27" },
      dhcpv4_options: dhcp,
      dhcpv6_options: dhcp,
      external_ids: { pod: "true", a: "own", b: "all" },
      in: "Logical_Switch l2 ports",
    });
  });

  test.each([
    [{}, ["ports: needs at least one port"]],
    [
      { vm1, vm3: { ...vm1, tunnelKey: 29 } },
      ["ports.vm3.addresses[0]: address 203.203.0.17 is already used by vm1", "ports.vm3.addresses[1]: address 2010:100:200::11 is already used by vm1"],
    ],
    [{ vm1, vm3: { addresses: ["203.203.0.19"], tunnelKey: 27 } }, ["ports.vm3.tunnelKey: port key 27 is already used by vm1"]],
    [{ vm1, vm3: { addresses: ["203.203.0.19"], tunnelKey: 29, mac: "0a:58:cb:cb:00:11" } }, ["ports.vm3.mac: MAC 0a:58:cb:cb:00:11 is already used by vm1"]],
    [{ vm2: { ...vm2, chassis: [] } }, ["ports.vm2.chassis: is required for a remote port"]],
    [{ vm2: { ...vm2, chassis: ["h2", "h3"], activation: "rarp" } }, ["ports.vm2.activation: has a meaning only for a local port with two chassis"]],
    [{ vm1: { ...vm1, chassis: ["h1"], activation: "rarp" } }, ["ports.vm1.activation: has a meaning only for a local port with two chassis"]],
    [{ vm1: { ...vm1, tunnelKey: 32_768 } }, ["ports.vm1.tunnelKey: port key 32768 is out of range: 1 to 32767"]],
    [{ vm1: { ...vm1, chassis: ["h1,h2"] } }, [`ports.vm1.chassis[0]: name "h1,h2" can't have any of \\ , * $: names become part of OVN match expressions`]],
    [{ vm1: { ...vm1, dhcpv4Options: "x" } }, ["ports.vm1.dhcpv4Options: must be a UUID"]],
    [
      { vm1: { ...vm1, addresses: ["203.203.0.17/16"] } },
      ['ports.vm1.addresses[0]: "203.203.0.17/16" is not an IP address: it has a prefix length; expected an address without one'],
    ],
  ])("%j is refused", (ports, expected) => {
    expect(complaints(() => rendered(workloadPorts, { ...base, ports }))).toEqual(expected);
  });

  test("have names that are valid in match expressions", () => {
    expect(complaints(() => rendered(workloadPorts, { ...base, ports: { 'a"b': vm1 } }))).toEqual([
      `ports["a\\"b"]: name "a\\"b" can't have quotes: names become part of OVN match expressions`,
    ]);
  });
});

describe("remote chassis", () => {
  test("have rows of the Southbound database", () => {
    const chassis = { h3: { addresses: ["198.18.0.3"], hostname: "node3.example" }, h2: { addresses: ["198.18.0.2"], encapsulation: "vxlan" } };
    expect(rowsOf(remoteChassis, { zone: "node1", chassis, externalIds: { a: "b" } })).toEqual({
      "Chassis h2": { name: "h2", hostname: "h2", other_config: { "is-remote": "true" }, encaps: ["<h2 vxlan>"], external_ids: { a: "b" } },
      "Encap h2 vxlan": { type: "vxlan", ip: "198.18.0.2", chassis_name: "h2", options: { csum: "true" } },
      "Chassis h3": { name: "h3", hostname: "node3.example", other_config: { "is-remote": "true" }, encaps: ["<h3 geneve>"], external_ids: { a: "b" } },
      "Encap h3 geneve": { type: "geneve", ip: "198.18.0.3", chassis_name: "h3", options: { csum: "true" } },
    });
  });

  test("have a tunnel for each address", () => {
    const rows = rowsOf(remoteChassis, { zone: "z", chassis: { h2: { addresses: ["198.18.1.2", "198.18.0.2"] } } });
    expect(rows["Chassis h2"]).toMatchObject({ encaps: ["<h2 geneve via 198.18.0.2>", "<h2 geneve via 198.18.1.2>"] });
  });

  test.each([
    [{}, ["chassis: needs at least one chassis"]],
    [{ h2: { addresses: [] } }, ["chassis.h2.addresses: needs at least one address"]],
    [{ h2: { addresses: ["198.18.0.2"] }, h3: { addresses: ["198.18.0.2"] } }, ["chassis.h3.addresses[0]: geneve address 198.18.0.2 is already used by h2"]],
    [{ h2: { addresses: ["198.18.0.2"], encapsulation: "stt" } }, ['chassis.h2.encapsulation: "stt" is not one of "geneve", "vxlan"']],
  ])("%j is refused", (chassis, expected) => {
    expect(complaints(() => rendered(remoteChassis, { zone: "z", chassis }))).toEqual(expected);
  });
});
