import { generateFrrConfigurations } from "@pulumi-ovn/provider";
import { factsOf, observedOf } from "@pulumi-ovn/provider/testing";
import { facts, failuresOf, node, spec, template, UPSTREAM, UPSTREAM_IPV6 } from "../../support/advertisement";

const hop = (address: string, more = "") => `route-map 192.168.111.3-out permit 1\n${more} set ip next-hop ${address}\nexit`;
const sessions = (name: string, rawConfig: string, labels: Record<string, string> = { use: "yes" }) =>
  template(name, [{ asn: 64512, neighbors: [UPSTREAM, UPSTREAM_IPV6] }], { labels, raw: { rawConfig } });
const BLUE = { topology: "layer2" as const, subnets: ["203.203.0.0/16", "fd00:203::/64"] };
const GREEN = { topology: "layer2" as const, subnets: ["203.204.0.0/16"] };
const given = (networks: Record<string, object>) => spec({ networkSelectors: [], networks: networks as never });
const clusterFacts = (...frrConfigurations: ReturnType<typeof template>[]) => facts({ nodes: [node("node1")], frrConfigurations });
/** Findings for the whole cluster, and for the part that an announcement has observed. */
const refusals = (announcement: ReturnType<typeof spec>, cluster: ReturnType<typeof facts>) => {
  const found = failuresOf(announcement, cluster);
  expect(failuresOf(announcement, factsOf(observedOf(announcement, cluster)))).toEqual(found);
  return found.map(({ path, code, message }) => [path, code, message]);
};

it("of one network are refused for a second network over the same session", () => {
  expect(refusals(given({ blue: BLUE, green: GREEN }), clusterFacts(sessions("peers", hop("172.18.0.11"))))).toEqual([
    [
      "frrConfigurationSelector",
      "next-hop",
      'FRRConfiguration frr-k8s-system/peers sets the next hop 172.18.0.11 for everything that neighbour 192.168.111.3 receives (route-map 192.168.111.3-out permit 1), and several networks are announced to it (network "blue", network "green"): announce each network over sessions of its own (node node1)',
    ],
  ]);
});

it("are refused if two FRRConfigurations set different ones for a session", () => {
  expect(
    refusals(given({ blue: BLUE }), clusterFacts(sessions("peers", hop("172.18.0.11")), sessions("theirs", hop("172.18.0.22"), { use: "theirs" }))),
  ).toEqual([
    [
      "frrConfigurationSelector",
      "next-hop",
      "FRRConfiguration frr-k8s-system/theirs sets the next hop 172.18.0.22 in route-map 192.168.111.3-out permit 1, FRRConfiguration frr-k8s-system/peers sets 172.18.0.11: FRR uses one of them for both (node node1)",
    ],
  ]);
});

it.each<[string, Record<string, object>, ReturnType<typeof template>[]]>([
  ["one network", { blue: BLUE }, [sessions("peers", hop("172.18.0.11")), sessions("theirs", hop("172.18.0.11"), { use: "theirs" })]],
  ["a network of the other family", { blue: { ...BLUE, subnets: ["fd00:203::/64"] }, green: GREEN }, [sessions("peers", hop("172.18.0.11"))]],
  ["some prefixes only", { blue: BLUE, green: GREEN }, [sessions("peers", hop("172.18.0.11", " match ip address prefix-list blue\n"))]],
  ["another neighbour", { blue: BLUE, green: GREEN }, [sessions("peers", hop("172.18.0.11").replace("111.3", "111.4"))]],
  ["none", { blue: BLUE, green: GREEN }, [sessions("peers", "log syslog")]],
])("are accepted for %s", (_what, networks, objects) => {
  expect(generateFrrConfigurations(given(networks), clusterFacts(...objects)).warnings).toEqual([]);
});

it("are a warning if another announcement uses the session", () => {
  const peers = sessions("peers", hop("172.18.0.11"));
  const { objects } = generateFrrConfigurations({ ...given({ green: GREEN }), name: "other" }, clusterFacts(peers));
  const announcement = given({ blue: BLUE });
  const { warnings } = generateFrrConfigurations(announcement, factsOf(observedOf(announcement, clusterFacts(peers, ...objects))));
  expect(warnings).toEqual([
    {
      path: "frrConfigurationSelector",
      code: "OVN_WARN_NEXT_HOP",
      message:
        'FRRConfiguration frr-k8s-system/peers sets the next hop 172.18.0.11 for everything that neighbour 192.168.111.3 receives, also for what announcement "other" generates: networks with another gateway router need sessions of their own (node node1)',
    },
  ]);
});
