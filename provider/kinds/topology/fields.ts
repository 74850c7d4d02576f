import { z } from "zod";
import {
  type AddressUse,
  DATAPATH_KEYS,
  type KeyRange,
  LARGEST_NODE_ID,
  PORT_KEYS,
  type Prefix,
  checkInterfaceName,
  checkMappedName,
  checkName,
  compareIps,
  formatIp,
  formatPrefix,
  networkOf,
  parseIp,
  parseMac,
  parsePrefix,
  parseSubnet,
  requirePrefixUse,
  requireUse,
} from "../../kit/address";
import { ArgumentError } from "../../kit/arguments/errors";
import { isMark } from "../../kit/identity";
import { requireHost } from "./placement";

/** A text that an address function reads; the checked value is its one text form. */
function text(read: (input: string) => string) {
  return z.string().transform((input, context) => {
    try {
      return read(input);
    } catch (error) {
      if (!(error instanceof ArgumentError)) throw error;
      for (const { code, message } of error.failures) context.addIssue({ code: "custom", message, params: { code } });
      return z.NEVER;
    }
  });
}

function addressFor(use: AddressUse) {
  return text((input) => formatIp(requireUse(parseIp(input), use)));
}

/** The address of one port or host. */
export const ip = addressFor("host");
export const nextHop = addressFor("next hop");
export const subnet = text((input) => formatPrefix(requirePrefixUse(parseSubnet(input), "subnet")));
/** A source or destination of packets, including the subnet of all addresses. */
export const anySubnet = text((input) => formatPrefix(requirePrefixUse(parseSubnet(input), "destination")));
/** An address with the prefix length of its subnet. */
const interfaceAddress = text((input) => {
  const address = parsePrefix(input);
  requireUse(address, "host");
  requireHost(address, [networkOf(address)]);
  return formatPrefix(address);
});
/** A subnet or a single address: what a route or a policy is for. */
export const destination = text((input) =>
  input.includes("/") ? formatPrefix(requirePrefixUse(parseSubnet(input), "destination")) : formatIp(requireUse(parseIp(input), "destination")),
);
export const mac = text(parseMac);
/** A name that is used in match expressions, options and other names. */
export const name = text(checkName);
/** The name of a network; the default network's is empty. */
export const networkName = text((input) => (input === "" ? "" : checkName(input)));
/** The name of a bridge or of another Linux interface. */
export const interfaceName = text(checkInterfaceName);
/** The name of a network outside, in `ovn-bridge-mappings`. */
export const mappedName = text(checkMappedName);
/** A row by its UUID or its name. */
export const rowReference = name;

/** A row of another resource by its UUID. */
export const uuid = z.guid("must be a UUID").transform((input) => input.toLowerCase());

export function whole(range: KeyRange, what: string) {
  // Larger than any number that is exact.
  const error = ({ code }: { code?: string }) => (code === "invalid_type" ? undefined : "must be a whole number");
  return z.int({ error }).superRefine((value, context) => {
    if (value >= range.first && value <= range.last) return;
    const message = `${what} ${value} is out of range: ${range.first} to ${range.last}`;
    context.addIssue({ code: "custom", message, params: { code: "out-of-range" } });
  });
}

export const datapathKey = whole(DATAPATH_KEYS, "tunnel key");
export const portKey = whole(PORT_KEYS, "port key");
/** 10 + id is a port key, so ids end where port keys do. */
export const nodeId = whole({ first: 1, last: LARGEST_NODE_ID }, "node id");
/** IPv6 does not work below 1280 (RFC 8200 section 5). */
export const mtu = whole({ first: 1280, last: 65_535 }, "MTU");
export const policyPriority = whole({ first: 0, last: 32_767 }, "priority");
export const packetMark = whole({ first: 0, last: 4_294_967_295 }, "packet mark");
export const vlan = whole({ first: 1, last: 4_094 }, "VLAN");
export const networkId = whole({ first: 1, last: 65_535 }, "network id");
export const seconds = whole({ first: 0, last: 86_400 }, "time in seconds");

/** A list without twins. It keeps the user's order, so that failures name the right path; renderers sort it where order means nothing. */
function setOf(element: typeof ip) {
  return z.array(element).superRefine((list, context) => {
    list.forEach((value, index) => {
      if (list.indexOf(value) < index) twin(context, index, `${value} is listed twice`);
    });
  });
}

/** A set with at most one element of each IP family. */
function perFamily(element: typeof ip, least: 0 | 1) {
  return setOf(element).superRefine((list, context) => {
    if (list.length < least) context.addIssue({ code: "custom", message: "needs at least one, of IPv4 or IPv6", params: { code: "required" } });
    const families = list.map((value) => readPrefix(value).family);
    list.forEach((value, index) => {
      const first = families.indexOf(families[index]!);
      if (first < index && list[first] !== value) twin(context, index, `${list[first]} and ${value}: only one IPv${families[index]} entry is possible here`);
    });
  });
}

function twin(context: z.core.$RefinementCtx, index: number, message: string): void {
  context.addIssue({ code: "custom", path: [index], message, params: { code: "duplicate" } });
}

/** Reads a checked value, with or without a prefix length. */
export function readPrefix(value: string): Prefix {
  if (value.includes("/")) return parsePrefix(value);
  const address = parseIp(value);
  return { ...address, length: address.family === 4 ? 32 : 128 };
}

/** Checked addresses or subnets in the order that rows are made in: IPv4 first, then by value. */
export function inOrder(list: readonly string[]): string[] {
  return list.toSorted((a, b) => compareIps(readPrefix(a), readPrefix(b)));
}

export const ips = setOf(ip);
export const nextHops = setOf(nextHop);
export const subnets = setOf(subnet);
export const anySubnets = setOf(anySubnet);
export const destinations = setOf(destination);
export const interfaceAddresses = setOf(interfaceAddress);
export const ipPerFamily = perFamily(ip, 0);
export const subnetPerFamily = perFamily(subnet, 0);
export const anySubnetPerFamily = perFamily(anySubnet, 0);
export const requiredSubnets = perFamily(subnet, 1);
export const requiredIps = perFamily(ip, 1);
export const requiredInterfaceAddresses = perFamily(interfaceAddress, 1);
export const names = setOf(name);

const externalIds = z.record(z.string().min(1), z.string()).superRefine((ids, context) => {
  for (const key of Object.keys(ids)) if (isMark(key)) context.addIssue({ code: "custom", path: [key], message: MARK, params: { code: "reserved" } });
});

/** If these keys were overwritten, rows would lose their owner and the list of columns to clear. */
export const MARK = "keys that begin with pulumi-ovn: are marks of this package";
/** A map whose keys are names, so that the order of its entries means nothing. */
export function byName<Value extends z.ZodType>(value: Value) {
  return z.record(name, value);
}

type Mutual<Args, Input> = [Args] extends [Input]
  ? [Input] extends [Args]
    ? unknown
    : { readonly "schema and interface differ": Input }
  : { readonly "schema and interface differ": Input };

/** Ties a schema to the documented interface: the compiler refuses a field that only one of them has. */
export function schemaOf<Args>() {
  return <Schema extends z.ZodType>(schema: Schema & Mutual<Args, z.input<Schema>>): Schema => schema;
}

/** Fields of every kind. */
export const common = { zone: name, externalIds: externalIds.optional() };
