import { parseIp } from "@pulumi-ovn/provider";
import { VIRTUAL_ROUTER } from "../../trace/route";
import { addressOf, isIn, portOf } from "../addresses";
import { leadsTo } from "../packets/entry";
import type { Workload, ZoneFacts } from "../zones/facts";
import { protocolsOf } from "./protocols";
import type { Protocol, Question, Receiver } from "../types";
import type { World } from "../zones/world";

/** Addresses for documentation that stand for any address outside (RFC 5737, RFC 3849). */
export const OUTSIDE = { 4: "198.51.100.7", 6: "2001:db8:ffff::7" } as const;

/** A question with the addresses that workloads have before and after a plan. */
export interface Connection {
  readonly before: Question;
  readonly after: Question;
}

/**
 * Pure. Questions about all zones at both times: every workload to every other one of its switch, to any address outside, to load balancers
 * and floating addresses; from each physical network to these addresses, and to workloads whose addresses are announced there.
 */
export function questionsOf(before: World, after: World): Connection[] {
  const protocols = protocolsOf(before, after);
  return connectionsOf(questionsIn(before, protocols), questionsIn(after, protocols));
}

/** Pure. Questions before and after a plan, one connection for each that exists at either time. */
export function connectionsOf(before: readonly Question[], after: readonly Question[]): Connection[] {
  const [old, wanted] = [before, after].map((questions) => new Map(questions.map((question) => [keyOf(question), question])));
  const keys = [...new Set([...old!.keys(), ...wanted!.keys()])].sort();
  return keys.map((key) => ({ before: old!.get(key) ?? wanted!.get(key)!, after: wanted!.get(key) ?? old!.get(key)! }));
}

/** Identifies a question, whichever addresses its workloads have, and whichever host the virtual router of a `Vpc`. */
function keyOf({ from, to, family, protocol }: Question): string {
  const sender = from.kind === "outside" && from.network === VIRTUAL_ROUTER ? VIRTUAL_ROUTER : from;
  return JSON.stringify([sender, to.kind === "workload" ? to.name : to, family, protocol]);
}

function questionsIn(world: World, protocols: readonly Protocol[]): Question[] {
  const all = [...world.zones.values()];
  const workloads = all.flatMap((facts) => facts.workloads);
  const published = all.flatMap((facts) => [
    ...facts.floating.map(({ address }) => ({ address, protocols, zone: facts.zone, router: true })),
    ...facts.virtual.map(({ vip, protocol, router }) => ({
      address: addressOf(vip),
      protocols: ofVip(vip, protocol),
      zone: facts.zone,
      router: router !== undefined,
    })),
  ]);
  const inside = workloads.flatMap((sender) => [
    ...workloads.filter((each) => each.name !== sender.name && each.switch === sender.switch).flatMap((receiver) => pairs(sender, receiver, protocols)),
    ...published.flatMap(({ address, protocols: own }) => fromWorkload(sender, { kind: "published", address }, own)),
    ...Object.values(OUTSIDE).flatMap((address) => fromWorkload(sender, { kind: "outside", address }, protocols)),
  ]);
  const outside = all.flatMap(({ zone, externals }) =>
    [...new Set(externals.map(({ network }) => network))].flatMap((network) =>
      published
        .filter((each) => each.zone === zone && each.router)
        .flatMap(({ address, protocols: own }) =>
          own.map(
            (protocol): Question => ({
              from: { kind: "outside", network, zone },
              source: OUTSIDE[familyOf(address)],
              to: { kind: "published", address },
              family: familyOf(address),
              protocol,
            }),
          ),
        ),
    ),
  );
  return [...inside, ...outside, ...all.flatMap((facts) => fromFabric(world, facts, workloads, protocols))];
}

/** From a physical network to workloads, by the gateways that have routes to the announced addresses. */
function fromFabric({ announced }: World, facts: ZoneFacts, workloads: readonly Workload[], protocols: readonly Protocol[]): Question[] {
  const { zone, externals, gateways } = facts;
  const prefixes = announced.get(zone) ?? [];
  const isReached = (network: string, address: string) =>
    prefixes.some((prefix) => isIn(prefix, address)) &&
    gateways.some((gateway) => externals.some((each) => each.network === network && each.switch === gateway.switch) && leadsTo(facts, gateway, address));
  return [...new Set(externals.map(({ network }) => network))].flatMap((network) =>
    workloads.flatMap(({ name, addresses }) =>
      ([4, 6] as const).flatMap((family) => {
        const address = addresses.find((each) => isOf(each, family));
        if (address === undefined || !isReached(network, address)) return [];
        const ends = { from: { kind: "outside", network, zone }, source: OUTSIDE[family], to: { kind: "workload", name, address }, family } as const;
        return protocols.map((protocol): Question => ({ ...ends, protocol }));
      }),
    ),
  );
}

function ofVip(vip: string, name: string): Protocol[] {
  const port = portOf(vip);
  return port === undefined ? [{ name: "icmp" }] : [{ name: name as "tcp", port }];
}

/** A workload, as questions need it. */
export type Addressed = Pick<Workload, "name" | "addresses">;

/** Between addresses of one family, the first of each. */
export function pairs(sender: Addressed, { name, addresses }: Addressed, protocols: readonly Protocol[]): Question[] {
  return ([4, 6] as const).flatMap((family) => {
    const [source, address] = [sender.addresses, addresses].map((list) => list.find((each) => isOf(each, family)));
    if (source === undefined || address === undefined) return [];
    return protocols.map(
      (protocol): Question => ({ from: { kind: "workload", name: sender.name }, source, to: { kind: "workload", name, address }, family, protocol }),
    );
  });
}

export function fromWorkload(sender: Addressed, to: Receiver, protocols: readonly Protocol[]): Question[] {
  const family = familyOf(to.address);
  const source = sender.addresses.find((each) => isOf(each, family));
  if (source === undefined) return [];
  return protocols.map((protocol): Question => ({ from: { kind: "workload", name: sender.name }, source, to, family, protocol }));
}

function familyOf(address: string): 4 | 6 {
  return address.includes(":") ? 6 : 4;
}

export function isOf(address: string, family: 4 | 6): boolean {
  try {
    return parseIp(address).family === family;
  } catch {
    return false;
  }
}
