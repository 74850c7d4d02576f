import type { Intents } from "@pulumi-ovn/provider";
import { VIRTUAL_ROUTER } from "../../trace/route";
import type { VpcTopology, VpcInState } from "../../vpc/model";
import { type Named, protocolsNamed } from "../questions/protocols";
import { type Addressed, fromWorkload, OUTSIDE, pairs } from "../questions/questions";
import type { Protocol, Question } from "../types";

/** Protocols with ports, as rules name them. */
const WITH_PORTS: ReadonlySet<unknown> = new Set(["tcp", "udp", "sctp"]);

const rulesOf = (vpcs: readonly VpcInState[]) => vpcs.flatMap(({ routers }) => [...routers.values()].flatMap(({ spec }) => Object.values(spec.acls).flat()));

/** Pure. ICMP, and the protocols that rules and intents name, with both ends of each range of ports. */
export function vpcProtocols(vpcs: readonly VpcInState[], intents: readonly Intents[]): Protocol[] {
  const ofRules = rulesOf(vpcs).flatMap(({ protocol, ports }): Named[] => {
    if (!WITH_PORTS.has(protocol)) return [];
    return ports === undefined ? [[String(protocol)]] : ports.split("-").map((port): Named => [String(protocol), Number(port)]);
  });
  const ofIntents = intents.flatMap((own) => Object.values(own).flatMap(({ protocol, port }): Named[] => (port === undefined ? [] : [[protocol, port]])));
  return protocolsNamed([...ofRules, ...ofIntents]);
}

/** Pure. Protocols that rules name and that no question has. */
export function unaskedProtocols(vpcs: readonly VpcInState[]): string[] {
  return [...new Set(rulesOf(vpcs).flatMap(({ protocol }) => (typeof protocol === "number" ? [`protocol ${protocol}`] : [])))].sort();
}

/** Pure. Questions about a VPC: every workload to every other one and to outside, and from outside to every workload. */
export function vpcQuestions({ workloads, virtualRouter }: VpcTopology, protocols: readonly Protocol[]): Question[] {
  const all = Object.entries(workloads).map(([name, { addresses }]): Addressed => ({ name, addresses }));
  const outside = Object.values(OUTSIDE);
  return all.flatMap((workload) => [
    ...all.filter(({ name }) => name !== workload.name).flatMap((receiver) => pairs(workload, receiver, protocols)),
    ...outside.flatMap((address) => fromWorkload(workload, { kind: "outside", address }, protocols).flatMap((question) => [question, reversed(question)])),
  ]);

  function reversed(question: Question): Question {
    const { from, source, to } = question;
    const name = from.kind === "workload" ? from.name : "";
    const sender = { kind: "outside", network: VIRTUAL_ROUTER, zone: virtualRouter.host } as const;
    return { ...question, from: sender, source: to.address, to: { kind: "workload", name, address: source } };
  }
}
