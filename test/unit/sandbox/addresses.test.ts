import fc from "fast-check";
import { isIP } from "node:net";
import { addressOf, externalNetwork, hostAddresses, maximumHosts, workloadAddresses, workloadNetwork } from "@pulumi-ovn/sandbox/testing";

const indexes = fc.integer({ min: 1, max: maximumHosts });

test("the first host and workload have the documented addresses", () => {
  expect(hostAddresses(1)).toEqual({
    name: "node1",
    encap: "198.18.0.1",
    gatewayRouter: ["172.18.0.11/24", "fc00:f853:ccd:e793::b/64"],
    external: ["172.18.0.111/24", "fc00:f853:ccd:e793::6f/64"],
  });
  expect(workloadAddresses(1)).toEqual({
    name: "vm1",
    mac: "0a:58:cb:cb:00:11",
    addresses: ["203.203.0.17/16", "2010:100:200::11/60"],
    gateways: ["203.203.0.1", "2010:100:200::1"],
  });
});

test("the last host and workload stay inside their networks", () => {
  expect(hostAddresses(maximumHosts).gatewayRouter).toEqual(["172.18.0.110/24", "fc00:f853:ccd:e793::6e/64"]);
  expect(hostAddresses(maximumHosts).external).toEqual(["172.18.0.210/24", "fc00:f853:ccd:e793::d2/64"]);
  expect(workloadAddresses(maximumHosts)).toMatchObject({ mac: "0a:58:cb:cb:00:74", addresses: ["203.203.0.116/16", "2010:100:200::74/60"] });
});

test("all addresses are different", () => {
  fc.assert(
    fc.property(indexes, (index) => {
      const host = hostAddresses(index);
      const workload = workloadAddresses(index);
      for (const pair of [host.gatewayRouter, host.external, workload.addresses]) expect(pair.map((cidr) => isIP(addressOf(cidr)))).toEqual([4, 6]);
      expect(isIP(host.encap)).toBe(4);
      expect(workload.mac).toMatch(/^([0-9a-f]{2}:){5}[0-9a-f]{2}$/);
    }),
  );
});

test("no two objects share an address, a MAC or a name", () => {
  const all = Array.from({ length: maximumHosts }, (_, index) => [hostAddresses(index + 1), workloadAddresses(index + 1)] as const);
  const values = [
    ...all.flatMap(([host, workload]) => [host.name, host.encap, ...host.gatewayRouter, ...host.external, workload.name, workload.mac, ...workload.addresses]),
    ...externalNetwork.router,
    ...externalNetwork.outside,
    ...workloadNetwork.gateways,
  ];
  expect(new Set(values).size).toBe(values.length);
});
