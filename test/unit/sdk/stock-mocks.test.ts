import * as pulumi from "@pulumi/pulumi";
import { AddressPool, Layer2Network, Layer2Switch, TunnelKeyPool } from "pulumi-ovn";

const made: string[] = [];

/** As Pulumi's page on unit tests shows them: the state is the inputs. */
const mocks: pulumi.runtime.Mocks = {
  newResource: ({ name, type, inputs }) => {
    made.push(`${type.replace(/.*:/, "")} ${name}`);
    return { id: `${name}-id`, state: inputs as object };
  },
  call: ({ inputs }) => inputs as object,
};

const valueOf = <T>(output: pulumi.Output<T>) => new Promise<T>((resolve) => output.apply(resolve));

it("registers pools, resources and their networks with Pulumi's mocks, which return the inputs", async () => {
  await pulumi.runtime.setMocks(mocks);
  const keys = new TunnelKeyPool("keys", { owners: { blue: 2, l2: 1 } });
  const addresses = new AddressPool("addresses", { subnets: ["203.203.0.0/24"], setAside: 10, owners: ["blue"] });
  const sw = new Layer2Switch("sw", {
    zone: "node1",
    name: "l2",
    subnets: ["203.203.0.0/16"],
    tunnelKey: keys.of("l2")[0]!,
    externalIds: { address: addresses.of("blue")[0]! },
  });
  new Layer2Network("blue", {
    name: "blue",
    subnets: ["203.203.0.0/16"],
    tunnelKeys: keys.of("blue"),
    nodes: { node1: { id: 2, tunnelAddresses: ["198.18.0.1"], external: { addresses: ["172.18.0.11/24"], nextHops: ["172.18.0.1"] } } },
    workloads: { vm1: { node: "node1", addresses: [addresses.of("blue")[0]!] } },
  });
  await pulumi.runtime.disconnect(); // waits for all that is in progress, and fails as `pulumi up` does
  expect([await valueOf(sw.id), await valueOf(sw.name), await valueOf(sw.uuid)]).toEqual(["sw-id", "l2", undefined]);
  expect(made.sort()).toEqual([
    "AddressPool addresses",
    "GatewayRouter blue-gateway-node1",
    "Layer2Gateway blue-topology-node1",
    "Layer2Network blue",
    "Layer2Switch blue-switch-node1",
    "Layer2Switch sw",
    "NetworkMembers blue-members",
    "Propagation blue-propagation",
    "TunnelKeyPool keys",
    "WorkloadPorts blue-workloads-node1",
  ]);
  expect([await valueOf(keys.keys), await valueOf(keys.of("blue")), await valueOf(addresses.of("blue"))]).toEqual([
    { blue: [16715779, 16715780], l2: [16715781] },
    [16715779, 16715780],
    ["203.203.0.11"],
  ]);
});
