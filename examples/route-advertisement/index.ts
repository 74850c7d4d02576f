import * as ovn from "pulumi-ovn";
import { hosts, upstream } from "./hosts";
import { LABELS } from "./peers";
import { templatesOf } from "./templates";

const CLUSTER = "sandbox";

const keys = new ovn.TunnelKeyPool("keys", { owners: { blue: 2 } });

const nodes: ovn.Layer2NetworkArgs["nodes"] = {};
for (const [name, { id, tunnel, gateway }] of Object.entries(hosts)) {
  const [ipv4, ipv6] = gateway.addresses;
  nodes[name] = { id, tunnelAddresses: [tunnel], external: { addresses: [`${ipv4}/24`, `${ipv6}/64`], mac: gateway.mac, nextHops: [...upstream.addresses] } };
}

// Workloads are reached and leave by their own addresses. The hosts themselves see the gateway router's, as before.
const blue = new ovn.Layer2Network("blue", {
  name: "blue",
  subnets: ["203.203.0.0/16", "2010:100:200::/60"],
  tunnelKeys: keys.of("blue"),
  nodes,
  workloads: {
    vm1: { node: "node1", addresses: ["203.203.0.17", "2010:100:200::11"] },
    vm2: { node: "node2", addresses: ["203.203.0.18", "2010:100:200::12"] },
  },
  advertised: { translateTo: Object.values(hosts).flatMap(({ own }) => [...own]) },
});

// The sessions, the prefixes that are received and the passwords are the user's own: FRRConfigurations, one for each host.
const templates = templatesOf(hosts, CLUSTER);

const announcement = new ovn.RouteAdvertisement(
  "announcement",
  {
    cluster: CLUSTER,
    name: "blue",
    networks: { blue },
    // The templates are looked for when they are there, so not in the preview that makes them.
    frrConfigurationSelector: { matchLabels: templates.ids.apply(() => LABELS) },
    advertisements: ["PodNetwork"],
    waitFor: "established",
  },
  // Withdrawn before the templates go, as before the network.
  { dependsOn: [...templates.resources] },
);

/** Which host announces what. */
export const announced = announcement.announced;
