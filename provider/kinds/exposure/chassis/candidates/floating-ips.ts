import { type Ip, type Prefix, compareIps, contains, hostPrefix } from "../../../../kit/address";
import { readable } from "../../../../kit/address/readable";
import { memo } from "../../../../kit/memo/memo";
import type { AgentExposure } from "../../agent/exposure";
import { withoutPort } from "../../vip";
import type { PortBinding } from "../snapshot/snapshot";
import { addressesOf } from "../addresses";
import { type Candidate, allowed } from "./candidate";
import type { Link } from "../link";
import type { RowIndex } from "../row-index";
import { datapathOf } from "../datapath";
import type { ChassisModel } from "../chassis-model";

/** An address of NAT, and the port where OVN translates it. */
interface Translated {
  readonly address: Ip;
  readonly owner: PortBinding | undefined;
  readonly subnet?: Prefix | undefined;
}

/** An address of NAT, and the port of the provider network to its router. */
interface Placed extends Translated {
  readonly port: PortBinding;
  readonly router: PortBinding;
}

/**
 * Addresses of NAT, from the chassis on which OVN translates them: the chassis of the workload, or of the gateway. IPv4
 * addresses come from northd (for gratuitous ARP), IPv6 addresses from the Northbound database. Both are included only
 * if the switch's port to the router asks for it (`options:nat-addresses=router`).
 */
export function floatingIPs(model: ChassisModel, exposure: AgentExposure): Candidate[] {
  if (!exposure.floatingIPs) return [];
  const { uuid } = model.snapshot.chassis;
  const found = uuid === null ? [] : (byChassis(model.rows).get(uuid) ?? []);
  return found.flatMap(({ address, subnet, owner, port, router }): Candidate[] => {
    const network = datapathOf(port);
    if (!owner || !model.isHere(owner) || !allowed(exposure, network.name, port, router, owner)) return [];
    const link = model.link(network);
    return link ? [{ network, link, next: null, prefix: hostPrefix(address), subnet }] : [];
  });
}

/** Returns floating IPs whose workload is not in the rows. */
export function unplacedFloatingIPs(rows: RowIndex, exposure: AgentExposure, link: Link): Candidate[] {
  if (!exposure.floatingIPs) return [];
  return (byChassis(rows).get(undefined) ?? [])
    .filter(({ port, router }) => allowed(exposure, port.network, port, router))
    .map(({ address, subnet, port }) => ({ network: datapathOf(port), link, next: null, prefix: hostPrefix(address), subnet }));
}

/** All of a zone, by the chassis of their ports: each is looked for once, not by every chassis. */
const byChassis = memo(
  (rows: RowIndex): ReadonlyMap<string | null | undefined, readonly Placed[]> =>
    Map.groupBy(
      [...rows.ports].flatMap((port) => ofPort(rows, port)),
      ({ owner }) => owner?.chassis,
    ),
);

function ofPort(rows: RowIndex, port: PortBinding): Placed[] {
  const router = rows.routerOf(port);
  if (!router) return [];
  const all = [...reportedAddresses(rows, port, router), ...northboundAddresses(rows, port, router)].sort((a, b) => compareIps(a.address, b.address));
  return all.map(({ address, subnet, owner }) => ({ address, subnet, owner, port, router }));
}

/** As northd has it in Port_Binding's `nat_addresses` (ovn-sb(5)). Load balancers are also listed there, and no floating IPs. */
function reportedAddresses(rows: RowIndex, { natAddresses }: PortBinding, router: PortBinding): Translated[] {
  if (natAddresses.length === 0) return [];
  const balanced = new Set(
    rows
      .vipsOf(router.datapath)
      .map(({ vip }) => withoutPort(vip))
      .flatMap(readable)
      .map(key),
  );
  return natAddresses.map(entryOf).flatMap(({ addresses, resident }) => {
    const owner = resident === undefined ? natPort(rows, router) : rows.port(resident);
    return addresses.filter((address) => !balanced.has(key(address))).map((address) => ({ address, owner }));
  });
}

/** Floating IPs of the Northbound database. If a router has several gateway ports, a floating IP is at the port whose network contains it. */
function northboundAddresses(rows: RowIndex, { name }: PortBinding, router: PortBinding): Translated[] {
  if (!rows.asksForNat(name)) return [];
  return rows.floatingIPsOf(router).flatMap(({ address, port }): Translated[] => {
    const [ip] = readable(address);
    const subnet = ip && addressesOf(router).find((one) => contains(one, ip));
    if (!ip || (!subnet && rows.gatewayPortsOf(router.datapath).length > 1)) return [];
    const distributed = port !== null && router.type !== "l3gateway";
    return [{ address: ip, subnet, owner: distributed ? rows.port(port) : natPort(rows, router) }];
  });
}

const key = ({ family, value }: Ip) => `${family} ${value}`;

/** Port on the chassis that translates for a router. Entries without a port use it. */
const natPort = (rows: RowIndex, router: PortBinding) => (router.type === "l3gateway" ? router : rows.port(router.options["chassis-redirect-port"]));

const ENTRY = /^\s*\S+((?:\s+[0-9a-fA-F.:]+)*)(?:\s+is_chassis_resident\("(.*)"\))?\s*$/;

/** Reads `MAC ADDRESS... is_chassis_resident("PORT")`. Texts of another form have no addresses. */
function entryOf(text: string): { addresses: Ip[]; resident: string | undefined } {
  const [, addresses = "", resident] = ENTRY.exec(text) ?? [];
  return { addresses: addresses.split(" ").filter(Boolean).flatMap(readable), resident: resident?.replace(/\\(.)/g, "$1") };
}
