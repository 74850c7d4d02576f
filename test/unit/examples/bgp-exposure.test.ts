import type { Registered } from "../../support/program";

/** Resources that the example's program registers. */
async function program(): Promise<Registered[]> {
  let found: Registered[] = [];
  await jest.isolateModulesAsync(async () => {
    const { registeredBy } = require("../../support/program") as typeof import("../../support/program");
    found = await registeredBy(() => void require("../../../examples/bgp-exposure/index"));
  });
  return found;
}

it("has the agents of all chassis announce every supported address, under the resource's name", async () => {
  const [exposure, ...rest] = await program();
  expect(exposure).toEqual({
    kind: "BgpExposure",
    name: "exposure",
    inputs: expect.objectContaining({
      zone: "node1",
      mode: "agent",
      name: "exposure",
      chassis: ["node1", "node2", "node3"],
      asNumber: 64513,
      providerPorts: true,
      floatingIPs: true,
      loadBalancers: true,
      tenantNetworks: "subnet",
    }),
  });
  expect(rest.map(({ name }) => name)).toEqual(["services"]);
});

it("adds its floating IP and its load balancer to another writer's router", async () => {
  const { entries } = (await program()).find(({ name }) => name === "services")!.inputs as {
    entries: Record<string, { table: string; columns: object; parent: object }>;
  };
  expect(entries["floating"]).toEqual({
    table: "NAT",
    columns: { type: "dnat_and_snat", external_ip: "198.51.100.6", logical_ip: "10.1.0.6", external_mac: "0a:58:c6:33:64:06", logical_port: "vm2" },
    parent: { table: "Logical_Router", row: "router", column: "nat" },
  });
  expect(entries["web"]).toEqual({
    table: "Load_Balancer",
    columns: { name: "web", protocol: "tcp", vips: { "198.51.100.80:80": "10.1.0.7:8080" } },
    parent: { table: "Logical_Router", row: "router", column: "load_balancer" },
  });
  expect(Object.keys(entries)).toEqual(["floating", "web"]);
});
