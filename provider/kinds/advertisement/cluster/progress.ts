import { formatIp, parseIp } from "../../../kit/address";
import { ArgumentError } from "../../../kit/arguments/errors";
import { listed } from "../../../kit/text/listed";
import type { FrrConfiguration, Metadata, NodeObject } from "../facts";
import { purposeOf, routerVrf } from "../names";
import { selectorOf } from "../selector";

/** `frrk8s.metallb.io/v1beta1` FRRNodeState: one for each node, with its name. */
export interface NodeStateObject {
  readonly metadata: Metadata;
  readonly status?: { readonly runningConfig?: string; readonly lastConversionResult?: string; readonly lastReloadResult?: string };
}

/** `frrk8s.metallb.io/v1beta1` BGPSessionState: one for each session of each node. */
export interface SessionStateObject {
  readonly metadata: Metadata;
  readonly status?: { readonly bgpStatus?: string; readonly bfdStatus?: string; readonly node?: string; readonly peer?: string; readonly vrf?: string };
}

const SUCCESS = "success";

/** A problem on one node. */
export interface Problem {
  readonly node: string;
  readonly text: string;
}

/** Nodes on which frr-k8s has not loaded what was generated for them. */
export function unapplied(objects: readonly FrrConfiguration[], states: readonly NodeStateObject[]): Problem[] {
  const byNode = new Map(states.map((state) => [state.metadata.name, state]));
  return [...prefixesOf(objects)].flatMap(([node, prefixes]) => {
    const status = byNode.get(node)?.status;
    if (status === undefined) return [{ node, text: "frr-k8s has not reported its state: check that it runs on the node" }];
    const loaded = loadedBy(status);
    if (loaded.problem !== undefined) return [{ node, text: loaded.problem }];
    const missing = [...prefixes].filter((prefix) => !loaded.words.has(prefix));
    return missing.length === 0 ? [] : [{ node, text: `FRR does not have ${listed(missing, 3)} yet` }];
  });
}

/** The configuration that FRR runs, or why it differs from the configuration of frr-k8s. */
function loadedBy(status: NonNullable<NodeStateObject["status"]>): { readonly problem?: string; readonly words: ReadonlySet<string> } {
  const { lastConversionResult: conversion = "", lastReloadResult: reload = "", runningConfig = "" } = status;
  const words = new Set(runningConfig.split(/\s+/));
  if (conversion !== SUCCESS) return { words, problem: `frr-k8s could not merge the FRRConfigurations: ${conversion || "no result yet"}` };
  return reload === SUCCESS ? { words } : { words, problem: `FRR could not load its configuration: ${reload || "no result yet"}` };
}

/** Prefixes by node. */
export type Withdrawn = ReadonlyMap<string, ReadonlySet<string>>;

/** Returns prefixes that nodes announced before and no longer announce. */
export function withdrawnOf(former: readonly FrrConfiguration[], objects: readonly FrrConfiguration[]): Withdrawn {
  const now = prefixesOf(objects);
  const withdrawn = [...prefixesOf(former)].map(([node, prefixes]) => [node, new Set([...prefixes].filter((prefix) => !now.get(node)?.has(prefix)))] as const);
  return new Map(withdrawn.filter(([, prefixes]) => prefixes.size > 0));
}

/** State of the cluster outside an announcement. */
export interface Beside {
  readonly nodes: readonly NodeObject[];
  /** FRRConfigurations of others. */
  readonly others: readonly FrrConfiguration[];
}

/**
 * Returns nodes on which FRR still has withdrawn prefixes. Nodes that are deleted or not ready are left out: frr-k8s
 * does not read FRRConfigurations there. Prefixes that FRRConfigurations of other owners contain in any form may stay.
 */
export function unwithdrawn(withdrawn: Withdrawn, states: readonly NodeStateObject[], { nodes, others }: Beside): Problem[] {
  const byNode = new Map(states.map((state) => [state.metadata.name, state]));
  return nodes.flatMap(({ metadata, status: { conditions = [] } = {} }) => {
    const node = metadata.name;
    const [prefixes, status] = [withdrawn.get(node), byNode.get(node)?.status];
    if (prefixes === undefined || status === undefined || conditions.some(({ type, status: is }) => type === "Ready" && is !== "True")) return [];
    const loaded = loadedBy(status);
    if (loaded.problem !== undefined) return [{ node, text: loaded.problem }];
    const texts = others.filter(({ spec }) => selectorOf(spec.nodeSelector)(metadata)).map(({ spec }) => JSON.stringify(spec));
    const left = [...prefixes].filter((prefix) => loaded.words.has(prefix) && !texts.some((text) => text.includes(prefix)));
    return left.length === 0 ? [] : [{ node, text: `FRR still has ${listed(left, 3)}` }];
  });
}

/** Sessions that announce and are not up. */
export function unestablished(objects: readonly FrrConfiguration[], sessions: readonly SessionStateObject[]): Problem[] {
  const known = new Map(sessions.map(({ status: { node = "", peer = "", vrf = "", ...states } = {} }) => [sessionKey(node, peer, vrf), states]));
  const seen = new Set<string>();
  return objects.flatMap((object) => {
    const node = nodeOf(object);
    return (object.spec.bgp?.routers ?? []).flatMap((router) =>
      (router.neighbors ?? []).flatMap(({ address, interface: link }) => {
        const peer = address ?? link ?? "";
        const key = sessionKey(node, peer, router.vrf ?? "");
        const state = known.get(key);
        if (seen.has(key) || state?.bgpStatus === "Established") return [];
        seen.add(key);
        const inVrf = routerVrf(router.vrf) === "" ? "" : ` in VRF ${router.vrf}`;
        return [{ node, text: `the session with ${peer}${inVrf} is ${stateText(state)}` }];
      }),
    );
  });
}

const NO_CONNECTION = "no connection: no answer, a refusal, or another password";
const NO_AGREEMENT = "connected, and not agreed: compare both ASNs";

/** Meaning of a session state that does not change (RFC 4271, 8.2.2). frr-k8s does not report FRR's last error. */
const MEANINGS: Readonly<Record<string, string>> = {
  Idle: "no way to the neighbour, or a session that was just closed or refused",
  Connect: NO_CONNECTION,
  Active: NO_CONNECTION,
  OpenSent: NO_AGREEMENT,
  OpenConfirm: NO_AGREEMENT,
};

/** State of a session. FRR ends a session whose BFD reports a dead neighbor: then that is the reason. */
function stateText({ bgpStatus, bfdStatus }: NonNullable<SessionStateObject["status"]> = {}): string {
  if (bgpStatus === undefined) return "not there: FRR has none yet, or frr-k8s has not looked since";
  if (bfdStatus?.toLowerCase() === "down") return `in state ${bgpStatus}, its BFD session is down`;
  return Object.hasOwn(MEANINGS, bgpStatus) ? `in state ${bgpStatus} (${MEANINGS[bgpStatus]})` : `in state ${bgpStatus}`;
}

function prefixesOf(objects: readonly FrrConfiguration[]): Map<string, Set<string>> {
  const byNode = new Map<string, Set<string>>();
  for (const object of objects) {
    const node = nodeOf(object);
    const prefixes = byNode.get(node) ?? new Set();
    byNode.set(node, prefixes);
    for (const router of object.spec.bgp?.routers ?? []) for (const prefix of router.prefixes ?? []) prefixes.add(prefix);
  }
  return byNode;
}

/** The end of the annotation: templates' names have no slash, and neither have nodes'. */
function nodeOf({ metadata }: FrrConfiguration): string {
  return purposeOf(metadata).split("/").at(-1)!;
}

function sessionKey(node: string, peer: string, vrf: string): string {
  return JSON.stringify([node, canonical(peer), routerVrf(vrf)]);
}

/** BGPSessionState writes IPv6 as a label can hold it: `fd00-0000-0000-0000-0000-0000-0000-0001`. */
const LABEL_IPV6 = /^[0-9a-f]{4}(-[0-9a-f]{4}){7}$/;

function canonical(peer: string): string {
  try {
    return formatIp(parseIp(LABEL_IPV6.test(peer) ? peer.replaceAll("-", ":") : peer));
  } catch (error) {
    if (error instanceof ArgumentError) return peer;
    throw error;
  }
}
