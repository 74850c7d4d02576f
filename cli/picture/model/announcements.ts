import { kindOfType } from "@pulumi-ovn/provider";
import { merged } from "./merge";
import { type Box, type Column, facts, type Link, type PicturedResource, type Scene } from "./scene";
import { entriesOf, objectOf, textOf, textsOf, unique } from "./values";

/** Which prefix is announced by which node, and to which peer. */
export function announcements(resources: readonly PicturedResource[]): Scene {
  const of = (kind: string) => resources.filter(({ type }) => kindOfType(type) === kind);
  const announcing = [...of("RouteAdvertisement"), ...of("BgpExposure")];
  const speakers = [...of("KubernetesObjects").flatMap(speakersIn), ...resources.filter(isConfiguration).map((one) => speaker(one, one.inputs, []))].flatMap(
    (one) => one ?? [],
  );
  const named = announcing.flatMap(announcedBy);
  const nodes = unique([...speakers.map(({ node }) => node), ...named.map(({ column }) => column ?? "")]);
  const peers = speakers.flatMap(({ node, peers: own, source }) => own.map((peer) => ({ node, peer, source })));
  const peerBoxes = peers.map(
    ({ node, peer, source }): Box => ({
      id: `peer ${peer}`,
      role: "outside",
      title: `peer ${peer}`,
      facts: [],
      band: "peers",
      column: undefined,
      columns: [node],
      sources: [source],
    }),
  );
  const speakerBoxes = speakers.map(
    ({ node, asNumber, source, receives }): Box => ({
      id: `speaker ${node}`,
      role: "router",
      title: `BGP of ${node}`,
      facts: [...facts("AS", [asNumber]), ...facts("accepts", receives)],
      band: "speakers",
      column: node,
      columns: [],
      sources: [source],
    }),
  );
  const whole = announcing.map((resource) => prefixBox(resource, nodes));
  const links = [
    ...peers.map(({ node, peer }): Link => ({ from: `speaker ${node}`, to: `peer ${peer}`, title: "session" })),
    ...named.map((box): Link => ({ from: box.id, to: `speaker ${box.column}`, title: "announced by" })),
    ...(named.length === 0 ? whole.flatMap(({ id }) => nodes.map((node): Link => ({ from: `speaker ${node}`, to: id, title: "announces" }))) : []),
  ];
  const columns = nodes.map((node): Column => ({ id: node, title: `node ${node}`, facts: [] }));
  const bands = [
    { id: "peers", title: "peers", isOutside: true },
    { id: "speakers", title: "BGP speakers" },
    { id: "announced", title: "announced now" },
    { id: "announcements", title: "announcements" },
  ];
  const scene = merged([{ columns, bands, boxes: [...peerBoxes, ...speakerBoxes, ...named, ...whole], links }]);
  return { title: "Announcements", question: "Which prefix is announced by which node, and to which peer?", ...scene };
}

interface Speaker {
  readonly node: string;
  readonly asNumber: string | undefined;
  readonly peers: readonly string[];
  readonly receives: readonly string[];
  readonly source: Box["sources"][number];
}

function isConfiguration({ inputs }: PicturedResource): boolean {
  return inputs["kind"] === "FRRConfiguration";
}

function speakersIn(resource: PicturedResource): (Speaker | undefined)[] {
  const objects = entriesOf(resource.inputs["objects"]).filter(([, object]) => objectOf(object)["kind"] === "FRRConfiguration");
  return objects.map(([key, object]) => speaker(resource, objectOf(object), [`objects.${key}`]));
}

/** The sessions in an FRRConfiguration that selects one node by its name. Others are left out: only the cluster knows their nodes. */
function speaker({ urn }: PicturedResource, object: PicturedResource["inputs"], path: readonly string[]): Speaker | undefined {
  const { nodeSelector, bgp } = objectOf(object["spec"]);
  const node = textOf(objectOf(objectOf(nodeSelector)["matchLabels"])["kubernetes.io/hostname"]);
  if (node === undefined) return undefined;
  const routers = entriesOf(objectOf(bgp)["routers"]).length > 0 ? [] : ((objectOf(bgp)["routers"] ?? []) as unknown[]).map(objectOf);
  const neighbors = routers.flatMap(({ neighbors: own }) => (Array.isArray(own) ? (own as unknown[]).map(objectOf) : []));
  const received = neighbors.flatMap(({ toReceive }) => {
    const { prefixes } = objectOf(objectOf(toReceive)["allowed"]);
    return Array.isArray(prefixes) ? (prefixes as unknown[]).flatMap((prefix) => textsOf(objectOf(prefix)["prefix"])) : [];
  });
  return {
    node,
    asNumber: routers.flatMap(({ asn }) => textsOf(asn))[0],
    peers: neighbors.map(({ address, interface: device, asn }) => `${textOf(address ?? device)} AS ${textOf(asn)}`),
    receives: unique(received),
    source: { urn, arguments: path.length === 0 ? ["spec"] : path },
  };
}

/** Prefixes by node, as the last update or refresh found them (output `announced`). */
function announcedBy(resource: PicturedResource): Box[] {
  const announced = objectOf(resource.outputs?.["announced"]);
  return entriesOf(announced).map(
    ([node, prefixes]): Box => ({
      id: `announced ${nameOf(resource)} ${node}`,
      role: "address",
      title: `${nameOf(resource)} on ${node}`,
      facts: facts("", prefixesIn(prefixes)),
      band: "announced",
      column: node,
      columns: [],
      sources: [{ urn: resource.urn, arguments: ["announced"] }],
    }),
  );
}

function prefixesIn(value: unknown): string[] {
  const direct = textsOf(value);
  return direct.length > 0 ? unique(direct) : unique(entriesOf(value).flatMap(([name, inner]) => (textsOf(inner).length > 0 ? textsOf(inner) : [name])));
}

function prefixBox(resource: PicturedResource, nodes: readonly string[]): Box {
  const { inputs, urn } = resource;
  const networks = entriesOf(inputs["networks"]).map(([name, network]) => `${name}: ${textsOf(objectOf(network)["subnets"]).join(", ")}`);
  const kinds = ["providerPorts", "floatingIPs", "loadBalancers", "tenantNetworks"].filter((name) => inputs[name] !== undefined && inputs[name] !== false);
  return {
    id: `announcement ${nameOf(resource)}`,
    role: "switch",
    title: `${kindOfType(resource.type)} ${nameOf(resource)}`,
    facts: [
      ...facts("network", networks),
      ...facts("announces", [...textsOf(inputs["advertisements"]), ...kinds]),
      ...facts("AS", textsOf(inputs["asNumber"])),
      ...facts("on", textsOf(inputs["chassis"])),
    ],
    band: "announcements",
    column: undefined,
    columns: nodes,
    sources: [{ urn, arguments: ["networks", "advertisements", "chassis", ...kinds] }],
  };
}

function nameOf({ urn }: PicturedResource): string {
  return urn.split("::").slice(3).join("::");
}
