import { kindOfType } from "@pulumi-ovn/provider";
import { layer2 } from "./layer2";
import { merged } from "./merge";
import { networksIn, type PicturedNetwork } from "./networks";
import type { PicturedResource, Scene } from "./scene";
import { services, type WorkloadNames } from "./services";
import { entriesOf, objectOf, textsOf } from "./values";
import { vpcs } from "./vpc";

/** Whole topology: networks and VPCs from the outside to the workloads. */
export function topology(resources: readonly PicturedResource[], network?: string): Scene {
  const networks = networksIn(resources).filter(({ name }) => network === undefined || name === network);
  const egress = Map.groupBy(
    resources.filter(({ type }) => kindOfType(type) === "EgressAddress"),
    ({ inputs }) => JSON.stringify([inputs["zone"], inputs["gatewayRouterName"]]),
  );
  const egressOf = ({ inputs }: PicturedResource) => egress.get(JSON.stringify([inputs["zone"], inputs["name"]])) ?? [];
  const tunnels = tunnelsIn(resources);
  const surroundings = { egressOf, tunnelAddresses: (chassis: string) => tunnels.get(chassis) ?? [] };
  const parts = [
    ...networks.map((each) => layer2(each, surroundings)),
    ...(network === undefined ? [...vpcs(resources), services(resources, namesIn(networks))] : vpcs(resources, network)),
  ];
  return {
    title: network === undefined ? "Topology" : `Topology of ${network}`,
    question: "Which hosts, networks, ways out and addresses are there?",
    ...merged(parts),
  };
}

/** Networks may use the same addresses. Such an address has no name. */
function namesIn(networks: readonly PicturedNetwork[]): WorkloadNames {
  const known = networks.flatMap(({ workloads }) => workloads.flatMap(({ name, addresses }) => addresses.map((address) => ({ name, address }))));
  const owners = Map.groupBy(known, ({ address }) => address);
  return new Map([...owners].flatMap(([address, [first, ...more]]) => (more.length === 0 ? [[address, first!.name]] : [])));
}

/** Tunnel addresses by chassis. Only other zones' resources contain those of a chassis. */
function tunnelsIn(resources: readonly PicturedResource[]): Map<string, string[]> {
  const lists = resources.filter(({ type }) => ["NetworkMembers", "RemoteChassis"].includes(kindOfType(type)));
  return new Map(lists.flatMap(({ inputs }) => entriesOf(inputs["chassis"]).map(([name, value]) => [name, textsOf(objectOf(value)["addresses"])] as const)));
}

/** VPCs only: hosts, bridges, tunnels, and logical routers in fallback. */
export function vpcTopology(resources: readonly PicturedResource[], network?: string): Scene {
  return {
    title: "VPCs",
    question: "Which hosts, bridges and tunnels are there, and which logical router is in fallback?",
    ...merged(vpcs(resources, network)),
  };
}
