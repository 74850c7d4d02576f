import * as pulumi from "@pulumi/pulumi";
import * as ovn from "pulumi-ovn";

// Which egress address is on which node. Move one and run `pulumi up` again:
//   pulumi config set egress:addresses '{"172.18.0.202":"node2","172.18.0.203":"node1"}'
const config = new pulumi.Config("egress");
const addresses = config.getObject<Record<string, string>>("addresses") ?? {
  "172.18.0.202": "node2",
  "172.18.0.203": "node3",
  "fc00:f853:ccd:e793::ca": "node2",
  "fc00:f853:ccd:e793::cb": "node3",
};
const workloads = config.getObject<string[]>("workloads") ?? ["vm1", "vm2"];

const keys = new ovn.TunnelKeyPool("keys", { owners: { blue: 2 } });
const outside = { nextHops: ["172.18.0.1", "fc00:f853:ccd:e793::1"] };

const blue = new ovn.Layer2Network("blue", {
  name: "blue",
  subnets: ["203.203.0.0/16", "2010:100:200::/60"],
  tunnelKeys: keys.of("blue"),
  nodes: {
    node1: { id: 2, tunnelAddresses: ["198.18.0.1"], external: { ...outside, addresses: ["172.18.0.11/24", "fc00:f853:ccd:e793::b/64"] } },
    node2: { id: 3, tunnelAddresses: ["198.18.0.2"], external: { ...outside, addresses: ["172.18.0.12/24", "fc00:f853:ccd:e793::c/64"] } },
    node3: { id: 4, tunnelAddresses: ["198.18.0.3"], external: { ...outside, addresses: ["172.18.0.13/24", "fc00:f853:ccd:e793::d/64"] } },
  },
  workloads: {
    vm1: { node: "node1", addresses: ["203.203.0.17", "2010:100:200::11"] },
    vm2: { node: "node2", addresses: ["203.203.0.18", "2010:100:200::12"] },
    vm3: { node: "node3", addresses: ["203.203.0.19", "2010:100:200::13"] },
  },
});

// New connections of every workload are spread over all addresses of the family.
const egress = new ovn.EgressIPPolicy("egress", { network: blue, workloads, addresses });

export const zones = Object.keys(egress.reroutes);
