import * as pulumi from "@pulumi/pulumi";
import { expect as intend, type IntentArgs, Layer2Network, Vpc } from "pulumi-ovn";
import { refusalOf, registeredBy } from "../../support/program";
import { SAMPLE } from "../vpc/sample";

const NETWORK = {
  name: "blue",
  subnets: ["10.0.0.0/16", "fd00::/64"],
  tunnelKeys: { switch: 16715779, router: 16715780 },
  nodes: {
    node1: { id: 1, external: { addresses: ["192.0.2.11/24"], nextHops: ["192.0.2.1"] } },
    node2: { id: 2, external: { addresses: ["192.0.2.12/24"], nextHops: ["192.0.2.1"] } },
  },
  workloads: {
    web1: { node: "node1", addresses: ["10.0.0.11", "fd00::11"], labels: { role: "web" } },
    web2: { node: "node2", addresses: ["10.0.0.12"], labels: { role: "web" }, portName: "ns_web2" },
    db1: { node: "node2", addresses: ["10.0.0.21"], labels: { role: "db" } },
    six: { node: "node2", addresses: ["fd00::66"] },
  },
};

const network = () => new Layer2Network("blue", NETWORK);
const componentOf = async (program: () => void, kind = "Layer2Network") => (await registeredBy(program)).find((each) => each.kind === kind)!.inputs;

test("intents are inputs of the network's component, as text", async () => {
  expect(
    await componentOf(() => {
      const blue = network();
      intend(blue, { from: "web1", to: "db1", protocol: "tcp", port: 5432, reach: true });
      intend(blue, { from: { labels: { role: "web" } }, to: ["db1"], reach: false });
      intend(blue, { from: { labels: { role: "web" } }, to: ["db1"], blocked: true });
      intend(blue, { from: "web2", to: { address: "203.0.113.9" }, reach: true, sourceAddress: ["192.0.2.12", "192.0.2.11"], byNode: "node2" });
      intend(blue, { from: ["web1", "six"], to: { address: "2001:DB8::1" }, family: 6, blocked: true });
    }),
  ).toEqual({
    intents: {
      "role=web does not reach db1": { from: ["web1", "web2"], to: ["db1"], reach: false, protocol: "icmp" },
      "web1 reaches db1, tcp port 5432": { from: ["web1"], to: ["db1"], reach: true, protocol: "tcp", port: 5432 },
      "web1, six does not reach 2001:db8::1, IPv6": { from: ["six", "web1"], to: "2001:db8::1", reach: false, protocol: "icmp", family: 6 },
      "web2 reaches 203.0.113.9, as 192.0.2.12 or 192.0.2.11, by node2": {
        from: ["web2"],
        to: "203.0.113.9",
        reach: true,
        protocol: "icmp",
        sourceAddress: ["192.0.2.11", "192.0.2.12"],
        byNode: ["node2"],
      },
    },
    ports: { web2: "ns_web2" },
  });
});

test("a network without intents is registered without them, with any labels", async () => {
  const labelled = await registeredBy(() => void network());
  const workloads = Object.fromEntries(Object.entries(NETWORK.workloads).map(([name, workload]) => [name, { ...workload, labels: undefined }]));
  const plain = await registeredBy(() => void new Layer2Network("blue", { ...NETWORK, workloads } as never));
  expect(labelled.find(({ kind }) => kind === "Layer2Network")!.inputs).toEqual({});
  expect(labelled).toEqual(plain);
});

test("a VPC's intents have the hosts of its workloads, which a preview does not show otherwise", async () => {
  expect(await componentOf(() => void new Vpc("blue", SAMPLE), "Vpc")).toEqual({});
  const [one, other] = Object.keys(SAMPLE.workloads!) as [string, string];
  const inputs = await componentOf(() => intend(new Vpc("blue", SAMPLE), { from: one, to: other, reach: true }), "Vpc");
  expect(inputs).toMatchObject({
    intents: { [`${one} reaches ${other}`]: { from: [one], to: [other], reach: true, protocol: "icmp" } },
    places: { virtualRouter: { host: SAMPLE.virtualRouter.host }, workloads: { [one]: { host: SAMPLE.workloads![one]!.host } } },
  });
});

const REFUSED: readonly (readonly [string, unknown, string])[] = [
  ["an unknown workload", { from: "web3", to: "db1", reach: true }, 'from: "web3" is not one of db1, six, web1, web2; did you mean "web1"? [unknown-workload]'],
  [
    "an address as a name",
    { from: "web1", to: "203.0.113.9", reach: true },
    'to: "203.0.113.9" is not one of db1, six, web1, web2; for an address outside write { address: "203.0.113.9" } [unknown-workload]',
  ],
  ["labels of no workload", { from: { labels: { role: "cache" } }, to: "db1", reach: true }, "from.labels: no workload has these labels [no-workload]"],
  ["a name of every object", { from: "toString", to: "db1", reach: true }, 'from: "toString" is not one of db1, six, web1, web2 [unknown-workload]'],
  ["no outcome", { from: "web1", to: "db1" }, 'reach: name one: "reach: true", or "blocked: true" [required]'],
  ["two outcomes", { from: "web1", to: "db1", reach: true, blocked: false }, 'blocked: "blocked" is the opposite of "reach": name one of them [value]'],
  ["a port of icmp", { from: "web1", to: "db1", port: 80, reach: true }, "port: icmp has no ports; name the protocol: tcp, udp or sctp [value]"],
  ["tcp without a port", { from: "web1", to: "db1", protocol: "tcp", reach: true }, "port: port is required with tcp [required]"],
  [
    "a port out of range",
    { from: "web1", to: "db1", protocol: "tcp", port: 65_536, reach: true },
    "port: port 65536 is out of range: 1 to 65535 [out-of-range]",
  ],
  [
    "an unknown protocol",
    { from: "web1", to: "db1", protocol: "tpc", port: 1, reach: true },
    'protocol: "tpc" is not one of "icmp", "tcp", "udp", "sctp"; did you mean "tcp"? [invalid_value]',
  ],
  ["an unknown argument", { from: "web1", to: "db1", reaches: true }, 'reaches: there is no argument "reaches"; did you mean "reach"? [unknown-argument]'],
  ["the sender itself", { from: "web1", to: "web1", reach: true }, 'to: "web1" is the sender; name another workload [same]'],
  ["families apart", { from: "six", to: "db1", reach: true }, 'to: "six" and "db1" have no IP family in common [family]'],
  [
    "an address of a family that one lacks",
    { from: { labels: {} }, to: { address: "2001:db8::1" }, blocked: true },
    'to.address: workload "db1" has no IPv6 address [family]',
  ],
  ["a family that one lacks", { from: "web1", to: "db1", family: 6, reach: true }, 'family: workload "db1" has no IPv6 address [family]'],
  [
    "an address inside",
    { from: "web1", to: { address: "10.0.0.21" }, reach: true },
    'to.address: 10.0.0.21 is in subnet 10.0.0.0/16 of the network; name its workload: "db1" [inside]',
  ],
  ["a node inside", { from: "web1", to: "db1", byNode: "node1", reach: true }, "byNode: is for packets that leave the network: to: { address: ... } [value]"],
  [
    "a node of a blocked packet",
    { from: "web1", to: { address: "203.0.113.9" }, byNode: "node1", blocked: true },
    "byNode: is for packets that arrive: reach: true [value]",
  ],
  [
    "an unknown node",
    { from: "web1", to: { address: "203.0.113.9" }, byNode: ["node1", "nod2"], reach: true },
    'byNode[1]: "nod2" is not one of node1, node2; did you mean "node2"? [unknown-node]',
  ],
  [
    "a source of another family",
    { from: "web1", to: { address: "203.0.113.9" }, sourceAddress: "2001:db8::7", reach: true },
    "sourceAddress: 2001:db8::7 is of another family than 203.0.113.9 [family]",
  ],
  ["a broken address", { from: "web1", to: { address: "203.0.113" }, reach: true }, 'to.address: "203.0.113" is not an IP address: '],
  ["an end of another type", { from: 7, to: "db1", reach: true }, "from: expected a workload's name, a list of names, or { labels: { ... } } [invalid_type]"],
  ["a broken name in a list", { from: ["web1", 'we"b'], to: "db1", reach: true }, "from[1]: "],
  ["a family that does not exist", { from: "web1", to: "db1", family: 5, reach: true }, "family: expected 4 or 6 [invalid_value]"],
  ["an output", { from: pulumi.output("web1"), to: "db1", reach: true }, "from: can't be an output: intents are checked before anything is made [plain]"],
  [
    "a secret",
    { from: "web1", to: { address: pulumi.secret("203.0.113.9") }, reach: true },
    "to.address: can't be an output: intents are checked before anything is made [plain]",
  ],
  ["a text", "web1 reaches db1", "intent: must be an object, not a text [invalid_type]"],
  ["nothing", undefined, "intent: is required [required]"],
];

test.each(REFUSED)("refuses %s, and writes nothing", async (_what, intent, wanted) => {
  const { text } = await refusalOf(() => intend(network(), intent as IntentArgs));
  expect(text).toContain(`an intent of Layer2Network "blue" can't be made from these arguments:\n  ${wanted}`);
});

test("refuses contradictions, other resources, a VPC's sources, and late intents", async () => {
  expect(
    (
      await refusalOf(() => {
        const blue = network();
        intend(blue, { from: "web1", to: "db1", reach: true });
        intend(blue, { from: ["web1"], to: { labels: { role: "db" } }, blocked: true });
      })
    ).text,
  ).toContain("reach: another intent is the opposite: web1 reaches db1; remove one of the two [contradiction]");
  expect((await refusalOf(() => intend({} as Layer2Network, { from: "a", to: "b", reach: true }))).text).toContain(
    "network: expected a Layer2Network or a Vpc [resource]",
  );
  const [one] = Object.keys(SAMPLE.workloads!) as [string];
  const outside = { from: one, to: { address: "203.0.113.9" }, reach: true, sourceAddress: "192.0.2.1" };
  expect((await refusalOf(() => intend(new Vpc("blue", SAMPLE), outside))).text).toContain(
    "sourceAddress: is decided by the virtual router, which is not part of this program [value]",
  );
  let blue!: Layer2Network;
  await registeredBy(() => void (blue = network()));
  expect(() => intend(blue, { from: "web1", to: "db1", reach: true })).toThrow(
    "network: is registered already: call expect before the program's first await after the network [late]",
  );
});
