import { nodeLocalBridge } from "@pulumi-ovn/provider";
import { setLines } from "@pulumi-ovn/provider/testing";
import { complaints } from "../../support/refusals";
import { rendered, rowsOf } from "./helpers";

const base = { zone: "node1" };

describe("a host's end of the local network", () => {
  test("has a bridge with its own port, and the internal port for the host", () => {
    expect(rowsOf(nodeLocalBridge, base)).toEqual({
      "Bridge br-local": { name: "br-local", datapath_type: "system", in: "Open_vSwitch . bridges" },
      "Port br-local br-local": { name: "br-local", interfaces: ["<br-local br-local>"], in: "Bridge <br-local> ports" },
      "Interface br-local br-local": { name: "br-local", type: "internal" },
      "Port br-local ovn-k8s-gw0": { name: "ovn-k8s-gw0", interfaces: ["<br-local ovn-k8s-gw0>"], in: "Bridge <br-local> ports" },
      "Interface br-local ovn-k8s-gw0": { name: "ovn-k8s-gw0", type: "internal", mac: "0a:58:a9:fe:00:01" },
    });
  });

  test("has an entry in the bridge mappings, and outputs for the host's configuration", () => {
    const { set, outputs } = rendered(nodeLocalBridge, base);
    expect(set.contributions).toEqual([
      {
        table: "Open_vSwitch",
        row: { name: "." },
        column: "external_ids",
        part: { kind: "item", key: "ovn-bridge-mappings", name: "locnet", value: "br-local" },
      },
    ]);
    expect(setLines(set)["Open_vSwitch . external_ids:ovn-bridge-mappings:locnet"]).toBe("br-local");
    expect(outputs).toEqual({ addresses: ["169.254.0.1/20", "fd99:1::1/64"], portMac: "0a:58:a9:fe:00:01" });
  });

  test("may have given names and addresses", () => {
    const args = {
      ...base,
      bridge: "br-blue",
      port: "blue0",
      subnets: ["169.254.64.0/24"],
      mac: "0A:58:00:00:00:05",
      mtu: 1400,
      networkName: "blue",
      switchName: "blue_local",
      datapathType: "netdev",
    };
    const rows = rowsOf(nodeLocalBridge, args);
    expect(rows["Bridge br-blue"]).toMatchObject({ datapath_type: "netdev" });
    expect(rows["Interface br-blue blue0"]).toEqual({ name: "blue0", type: "internal", mac: "0a:58:00:00:00:05", mtu_request: 1400 });
    const { set, outputs } = rendered(nodeLocalBridge, args);
    expect(set.rows.find(({ table }) => table === "Bridge")!.carries).toEqual({ table: "Port", key: "ovn-localnet-port", value: "lnet-blue_local" });
    expect(set.contributions![0]!.part).toEqual({ kind: "item", key: "ovn-bridge-mappings", name: "blue", value: "br-blue" });
    expect(outputs).toEqual({ addresses: ["169.254.64.1/24"], portMac: "0a:58:00:00:00:05" });
  });

  test("does not write columns that vswitchd writes", () => {
    const columns = rendered(nodeLocalBridge, base).set.rows.flatMap(({ table, columns }) => Object.keys(columns).map((column) => `${table}.${column}`));
    expect([...new Set(columns)].sort()).toEqual([
      "Bridge.datapath_type",
      "Bridge.name",
      "Interface.mac",
      "Interface.name",
      "Interface.type",
      "Port.interfaces",
      "Port.name",
    ]);
  });

  test.each<[string, object]>([
    ['bridge: name "br-node-local-01" has 16 characters: interfaces and bridges have at most 15', { bridge: "br-node-local-01" }],
    ['port: name "ovn-k8s-gateway0" has 16 characters: interfaces and bridges have at most 15', { port: "ovn-k8s-gateway0" }],
    ['bridge: name "br\\"local" can\'t have quotes: names become part of OVN match expressions', { bridge: 'br"local' }],
    ['networkName: name "a,b" can\'t have any of \\ , * $: names become part of OVN match expressions', { networkName: "a,b" }],
    ['port: port "br-local" has the name of the bridge, whose own port that is', { port: "br-local" }],
    ["subnets[0]: 169.254.0.0/31 has no address left after the 2 that are set aside: take a larger subnet", { subnets: ["169.254.0.0/31"] }],
    ["subnets: needs at least one, of IPv4 or IPv6", { subnets: [] }],
    ["mtu: MTU 100 is out of range: 1280 to 65535", { mtu: 100 }],
  ])("%s", (complaint, change) => {
    expect(complaints(() => rendered(nodeLocalBridge, { ...base, ...change }))).toEqual([complaint]);
  });
});
