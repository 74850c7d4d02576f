import { addressOf, portOf } from "../addresses";
import type { Protocol } from "../types";
import { vlanBits, type Way } from "../connection-state";

/** A packet at one point of its path. */
export interface Packet {
  readonly family: 4 | 6;
  readonly protocol: Protocol;
  readonly way: Way;
  readonly ethSource: string;
  readonly ethDestination: string;
  readonly source: string;
  readonly destination: string;
  /** Destination port of the first packet, for tcp, udp and sctp. Translations change it. */
  readonly port: number | undefined;
  /** The port that another zone has sent the packet to. */
  readonly outPort?: string | undefined;
}

/** Source port from the range that systems choose from. */
const SOURCE_PORT = 49_152;

/** IANA numbers of echo requests and replies. */
const ECHO = { there: { 4: 8, 6: 128 }, back: { 4: 0, 6: 129 } } as const;

/** Pure. The packet as a microflow of ovn-trace(8). */
export function flowOf({ family, protocol, way, ethSource, ethDestination, source, destination, port, outPort }: Packet, inPort: string): string {
  const [from, to] = way === "there" ? [SOURCE_PORT, port] : [port, SOURCE_PORT];
  return [
    `inport == ${JSON.stringify(inPort)}`,
    ...(outPort === undefined ? [] : [`outport == ${JSON.stringify(outPort)}`]),
    `eth.src == ${ethSource}`,
    `eth.dst == ${ethDestination}`,
    `ip${family}.src == ${source}`,
    `ip${family}.dst == ${destination}`,
    "ip.ttl == 64",
    vlanBits(way, outPort !== undefined),
    ...(protocol.name === "icmp"
      ? [`icmp${family}.type == ${ECHO[way][family]}`, `icmp${family}.code == 0`]
      : [`${protocol.name}.src == ${from}`, `${protocol.name}.dst == ${to}`]),
  ].join(" && ");
}

const ASSIGNMENT = /^(eth\.src|eth\.dst|ip[46]\.src|ip[46]\.dst) = (\S+);$/;
const TRANSLATION = /^ct_(?:snat|dnat)\S*\(ip[46]\.(src|dst)=([^,)]+)(?:,[^)]*)?\)/;
const LOOKUP = /^\/\* MAC binding to (\S+)\. \*\/$/;

/** Pure. The packet after a line of ovn-trace's output. */
export function rewritten(packet: Packet, line: string): Packet {
  const [, field, value] = ASSIGNMENT.exec(line) ?? [];
  if (field !== undefined) return { ...packet, [FIELDS[field.replace(/^ip[46]/, "ip") as keyof typeof FIELDS]]: value };
  const [, side, address] = TRANSLATION.exec(line) ?? [];
  if (side !== undefined) return { ...packet, [side === "src" ? "source" : "destination"]: address };
  const backend = backendIn(line);
  if (backend !== undefined) return { ...packet, destination: addressOf(backend), port: portOf(backend) ?? packet.port };
  const [, mac] = LOOKUP.exec(line) ?? [];
  return mac === undefined ? packet : { ...packet, ethDestination: mac };
}

/** Pure. The only backend in an action of a load balancer. */
export function backendIn(line: string): string | undefined {
  return /^ct_lb\w*\(backends=([^,;)]+)/.exec(line)?.[1];
}

const FIELDS = { "eth.src": "ethSource", "eth.dst": "ethDestination", "ip.src": "source", "ip.dst": "destination" } as const;
