import * as pulumi from "@pulumi/pulumi";
import {
  AddressPool,
  EgressIPPolicy,
  Layer2Network,
  type Layer2NetworkArgs,
  Layer2Switch,
  NodeLocalAccess,
  NorthboundRows,
  RouteAdvertisement,
  TunnelKeyPool,
  WorkloadPorts,
} from "pulumi-ovn";
import { refusalOf, registeredBy } from "../../support/program";

const later = <T>(value: T) => pulumi.output(Promise.resolve(value)) as unknown as pulumi.Output<T>;
const node = (id: number) => ({ id, external: { addresses: [`172.18.0.${10 + id}/24`], nextHops: ["172.18.0.1"] } });
const named = (name: string, value: object) => JSON.parse(`{${JSON.stringify(name)}:${JSON.stringify(value)}}`) as Record<string, never>;
const plain: Layer2NetworkArgs = {
  name: "blue",
  subnets: ["10.1.0.0/16"],
  tunnelKeys: [5, 6],
  nodes: { a: node(1), b: node(2) },
  workloads: { vm: { node: "a", addresses: ["10.1.0.17"] } },
};
const POLICY = { addresses: { "172.18.0.99": "b" }, workloads: ["vm"] };
const host = (change: object = {}) => ({ routerPort: "rtos-a", hostAddresses: ["172.18.0.11"], management: { addresses: ["192.168.1.2"] }, ...change });

/** Error of a program that ends. Nothing of the resource is registered, except a component's own name. */
async function refused(program: () => void): Promise<string> {
  const { text = "", made } = await refusalOf(program);
  expect(made.filter(({ kind }) => !["Layer2Network", "NodeLocalAccess"].includes(kind))).toEqual([]);
  return text;
}

const LOST = 'a name can\'t be "__proto__": JavaScript keeps it apart from other names, so the entry would be lost silently [name]';
const INHERITED = 'inherits entries, which would be lost silently: "__proto__" in a literal sets an object\'s prototype [name]';
const HALF = "has half of a surrogate pair, which no text in UTF-8 can have: it would arrive as another character [encoding]";
const refusal = (what: string, line: string) => `${what} can't be made from these arguments:\n  ${line}`;

it.each<[string, () => void, string]>([
  ["a node called __proto__", () => void new Layer2Network("n", { ...plain, nodes: { ...plain.nodes, ...named("__proto__", node(3)) } }), ""],
  [
    "only such a node",
    () => void new Layer2Network("n", { ...plain, nodes: named("__proto__", node(3)) }),
    refusal('Layer2Network "n"', `nodes.__proto__: ${LOST}`),
  ],
  [
    "a node called toString",
    () => void new Layer2Network("n", { ...plain, nodes: { ...plain.nodes, toString: node(3) } as never }),
    refusal('Layer2Network "n"', 'nodes.toString: a name can\'t be "toString": Pulumi calls what is under that name [name]'),
  ],
  [
    "a node called so in a literal",
    () => void new Layer2Network("n", { ...plain, nodes: { a: node(1), __proto__: node(3) } as never }),
    refusal('Layer2Network "n"', `nodes: ${INHERITED}`),
  ],
  [
    "a workload called so",
    () => void new Layer2Network("n", { ...plain, workloads: named("__proto__", { node: "a", addresses: ["10.1.0.18"] }) }),
    refusal('Layer2Network "n"', `workloads.__proto__: ${LOST}`),
  ],
  [
    "a workload of this name, with outputs",
    () => void new Layer2Network("n", { ...plain, mtu: later(1400), workloads: named("__proto__", { node: "a", addresses: ["10.1.0.18"] }) }),
    refusal('Layer2Network "n"', `workloads.__proto__: ${LOST}`),
  ],
  [
    "half a surrogate pair in the name of a workload",
    () => void new Layer2Network("n", { ...plain, workloads: { "vm\ud83d": { node: "a", addresses: ["10.1.0.18"] } } }),
    refusal('Layer2Network "n"', `workloads["vm\ufffd"]: ${HALF}`),
  ],
  [
    "half a surrogate pair in the name of a network",
    () => void new Layer2Network("n", { ...plain, name: "\udc00" }),
    refusal('Layer2Network "n"', `name: ${HALF}`),
  ],
  [
    "a zone called so",
    () => void new NodeLocalAccess("n", { zones: { __proto__: { router: "r", nodes: { a: host() } } } as never }),
    refusal('NodeLocalAccess "n"', `zones: ${INHERITED}`),
  ],
  [
    "an entry called so",
    () => void new NorthboundRows("r", { zone: "z", entries: named("__proto__", { table: "Meter" }) }),
    refusal('NorthboundRows "r"', `entries.__proto__: ${LOST}`),
  ],
  [
    "half a surrogate pair in a value",
    () => void new NorthboundRows("r", { zone: "z", entries: { a: { table: "Meter", columns: { name: "\ud800" } } } }),
    refusal('NorthboundRows "r"', `entries.a.columns.name: ${HALF}`),
  ],
  [
    "an external id called so",
    () => void new Layer2Switch("s", { zone: "z", name: "l2", subnets: ["10.0.0.0/8"], externalIds: named("__proto__", {}) }),
    refusal('Layer2Switch "s"', `externalIds.__proto__: ${LOST}`),
  ],
  ["an owner called so", () => void new TunnelKeyPool("p", { owners: named("__proto__", {}) }), refusal('TunnelKeyPool "p"', `owners.__proto__: ${LOST}`)],
])("refuses %s", async (_what, program, text) => {
  // In the first case the spread has kept what the literal would have lost.
  expect(await refused(program)).toBe(text || refusal('Layer2Network "n"', `nodes.__proto__: ${LOST}`));
});

it.each<[string, object, Record<string, string>, string]>([
  [
    "the subnet's broadcast address",
    {},
    { "172.18.0.255": "b" },
    'addresses["172.18.0.255"]: 172.18.0.255 is the broadcast address of 172.18.0.0/24, which no host can have [reserved]',
  ],
  [
    "the subnet's own address",
    {},
    { "172.18.0.0": "b" },
    'addresses["172.18.0.0"]: 172.18.0.0 is the first address of 172.18.0.0/24, which no host can have [reserved]',
  ],
  [
    "a multicast address",
    {},
    { "224.0.0.7": "b" },
    'addresses["224.0.0.7"]: 224.0.0.7 can\'t be the address of a port or host: 224.0.0.0/4 is for multicast (RFC 5771) [unusable]',
  ],
])("refuses an egress address that is %s", async (_what, change, addresses, line) => {
  const texts: string[] = [];
  await registeredBy(() => {
    const network = new Layer2Network("n", { ...plain, ...change });
    try {
      new EgressIPPolicy("p", { ...POLICY, network, addresses });
    } catch (error) {
      texts.push((error as Error).message);
    }
  });
  expect(texts).toEqual([refusal('EgressIPPolicy "p"', line)]);
});

it.each<[string, () => void, string]>([
  [
    "a resource",
    () => void new Layer2Switch("s", { zone: "a", name: "s", subnets: ["10.1.0.0/16"], tunnelKey: new TunnelKeyPool("keys", { owners: { s: 1 } }) as never }),
    refusal('Layer2Switch "s"', "tunnelKey: is a resource; give the output of it that is meant [resource]"),
  ],
  [
    "a component",
    () => void new NorthboundRows("r", { zone: "a", entries: { x: { table: "Logical_Switch", columns: { name: new Layer2Network("n", plain) as never } } } }),
    refusal('NorthboundRows "r"', "entries.x.columns.name: is a resource; give the output of it that is meant [resource]"),
  ],
])("refuses %s where a value belongs", async (_what, program, text) => {
  let said: unknown;
  const made = await registeredBy(() => {
    try {
      program();
    } catch (error) {
      said = (error as Error).message;
    }
  });
  expect([said, made.filter(({ name }) => name === "s" || name === "r")]).toEqual([text, []]);
});

it("accepts an egress address in a /31, both addresses of which are usable", async () => {
  const nodes = {
    a: { id: 1, external: { addresses: ["172.18.0.10/31"], nextHops: ["172.18.0.11"] } },
    b: { id: 2, external: { addresses: ["172.18.0.20/30"], nextHops: [] } },
  };
  const refusals: string[] = [];
  await registeredBy(() => {
    // 172.18.0.20 is the first address of its /30.
    try {
      new Layer2Network("n", { ...plain, nodes });
    } catch (error) {
      refusals.push((error as Error).message);
    }
  });
  expect(refusals).toEqual([
    refusal('Layer2Network "n"', "nodes.b.external.addresses[0]: 172.18.0.20 is the first address of 172.18.0.20/30, which no host can have [reserved]"),
  ]);
  const made = await registeredBy(() => {
    const network = new Layer2Network("n", { ...plain, nodes: { ...nodes, b: node(2) } });
    new EgressIPPolicy("p", { ...POLICY, network, addresses: { "172.18.0.8": "b" } });
  });
  expect(made.map(({ kind }) => kind)).toContain("EgressAddress");
});

/** Names that every JavaScript object has something under. */
const NAMES = { a: "constructor", b: "isPrototypeOf", vm: "hasOwnProperty", n: "valueOf" };

it("accepts names that every object inherits: the resources equal those of other names", async () => {
  const program =
    ({ a, b, vm, n }: typeof NAMES) =>
    () => {
      const keys = new TunnelKeyPool("keys", { owners: { [n]: 2 } });
      const args = { ...plain, name: n, nodes: { [a]: node(1), [b]: node(2) }, workloads: { [vm]: { node: a, addresses: ["10.1.0.17"] } }, management: {} };
      const network = new Layer2Network(n, { ...args, tunnelKeys: [5, 6] });
      new EgressIPPolicy("policy", { network, addresses: { "172.18.0.99": b }, workloads: [vm] });
      new Layer2Network("later", {
        ...args,
        name: "x",
        subnets: [later("10.1.0.0/16")],
        nodes: { [a]: { ...node(1), zone: "z1", chassis: "c1", external: { addresses: ["172.19.0.2/24"] } } },
        workloads: {},
        tunnelKeys: [7, 8],
      });
      new NorthboundRows("rows", { zone: a, entries: { [a]: { table: "Meter", columns: {} } } });
      expect(keys).toBeDefined();
    };
  const texts = (made: object[], names: typeof NAMES) =>
    made
      .map((one) =>
        Object.entries(names)
          .reduce((text, [role, name]) => text.replaceAll(new RegExp(`(?<![A-Za-z])${name}(?![A-Za-z])`, "g"), `<${role}>`), JSON.stringify(one))
          .replace(/ digest [\w-]{16}/, ""),
      )
      .sort();
  const ordinary = { a: "node7", b: "node8", vm: "guest9", n: "net6" };
  expect(texts(await registeredBy(program(NAMES)), NAMES)).toEqual(texts(await registeredBy(program(ordinary)), ordinary));
});

it.each<[string, () => void, string]>([
  [
    "no network at all, and a typo of it",
    () => void new EgressIPPolicy("e", { netwrk: {}, addresses: { "172.18.0.99": "b" }, workloads: [] } as never),
    refusal('EgressIPPolicy "e"', 'network: is required [required]\n  netwrk: there is no argument "netwrk"; did you mean "network"? [unknown-argument]'),
  ],
  [
    "a list of zones",
    () => void new NodeLocalAccess("n", { zones: ["node1"] } as never),
    refusal('NodeLocalAccess "n"', "zones: must be an object, not a list [invalid_type]"),
  ],
  [
    "a text for a zone",
    () => void new NodeLocalAccess("n", { zones: { node1: "router" } } as never),
    refusal('NodeLocalAccess "n"', "zones.node1: must be an object, not a text [invalid_type]"),
  ],
])("says what is wrong with %s", async (_what, program, text) => {
  expect((await refusalOf(program)).text).toBe(text);
});

/** A pool that a program registers. Its owners are known immediately. */
async function known<Pool extends AddressPool | TunnelKeyPool>(Pool: new (name: string, args: never) => Pool, all: object): Promise<Pool> {
  let pool: Pool | undefined;
  await registeredBy(() => (pool = new Pool("pool", { owners: {}, subnets: [] } as never)));
  return Object.assign(pool!, { [Pool.name === "AddressPool" ? "addresses" : "keys"]: { apply: (read: (all: object) => unknown) => read(all) } });
}

it("names the unknown owner and its pool, without a stack trace", async () => {
  const pool = await known(TunnelKeyPool, { blue: [1, 2], red: [3] });
  const text = 'TunnelKeyPool "pool" has no owner "blu"; it has blue, red; did you mean "blue"?';
  expect(() => pool.of("blu")).toThrow(expect.objectContaining({ message: text, stack: text }));
  expect(pool.of("red")).toEqual([3]);
});

it.each(["constructor", "toString"])("a pool has no owner %s that no one named", async (owner) => {
  for (const Pool of [TunnelKeyPool, AddressPool]) {
    const pool = await known<AddressPool | TunnelKeyPool>(Pool, { blue: [1] });
    expect(() => pool.of(owner)).toThrow(`${Pool.name} "pool" has no owner "${owner}"; it has blue`);
  }
});

it.each(["rows", "digest", "drift", "owner", "redact", "dryRun", "__provider"])(
  "refuses %s, which the class itself gives, as an argument",
  async (argument) => {
    const args = { zone: "node1", entries: { a: { table: "Logical_Switch" } }, [argument]: {} };
    expect(await refused(() => void new NorthboundRows("it", args as never))).toBe(
      refusal('NorthboundRows "it"', `${argument}: there is no argument "${argument}"; Pulumi shows a property of this name [unknown-argument]`),
    );
  },
);

const OUTPUT = "can't be an output: what resources there are is decided before anything is made [plain]";

it.each<[string, object, string]>([
  ["another resource as its network", { network: "pool" }, "network: is a resource, but no Layer2Network [resource]"],
  ["outputs among its arguments", { workloads: later(["vm"]) }, `workloads: ${OUTPUT}`],
  [
    "outputs deep inside",
    { addresses: { "172.18.0.99": later("b") }, keep: [later("10.0.0.0/8")] },
    `addresses["172.18.0.99"]: ${OUTPUT}\n  keep[0]: ${OUTPUT}`,
  ],
  ["half a surrogate pair", { workloads: ["vm\ud83d"] }, `workloads[0]: ${HALF}`],
])("refuses an egress policy with %s in few words", async (_what, change: { network?: unknown }, lines) => {
  const { text } = await refusalOf(() => {
    const network = change.network === undefined ? new Layer2Network("n", plain) : new TunnelKeyPool("pool", { owners: { blue: 2 } });
    new EgressIPPolicy("p", { ...POLICY, ...change, network } as never);
  });
  expect(text).toBe(refusal('EgressIPPolicy "p"', lines));
});

it("refuses outputs in node-local access, except for routers", async () => {
  const access = (change: object) =>
    void new NodeLocalAccess("n", { zones: { z: { router: later("r"), nodes: { a: host(change) as never } } }, waitFor: "none" });
  expect(await refused(() => access({ hostAddresses: later(["172.18.0.11"]) }))).toBe(
    refusal('NodeLocalAccess "n"', `zones.z.nodes.a.hostAddresses: ${OUTPUT}`),
  );
});

it.each<[string, (network: Layer2Network, policy: EgressIPPolicy) => unknown, string]>([
  ["an egress policy where a network belongs", (_network, policy) => policy, "networks.blue: is a resource, but no Layer2Network [resource]"],
  [
    "a policy without a list",
    (network, policy) => ({ network, egressIPPolicies: policy }),
    "networks.blue.egressIPPolicies: must be a list of EgressIPPolicy resources [invalid_type]",
  ],
  [
    "a list of others",
    (network) => ({ network, egressIPPolicies: [network] }),
    "networks.blue.egressIPPolicies: must be a list of EgressIPPolicy resources [invalid_type]",
  ],
  [
    "null for the policies",
    (network) => ({ network, egressIPPolicies: null }),
    "networks.blue.egressIPPolicies: must be a list of EgressIPPolicy resources [invalid_type]",
  ],
])("refuses an announcement with %s", async (_what, announced, line) => {
  const { text } = await refusalOf(() => {
    const network = new Layer2Network("n", plain);
    const policy = new EgressIPPolicy("p", { ...POLICY, network, waitFor: "none" });
    new RouteAdvertisement("r", { cluster: "c", name: "blue", advertisements: ["EgressIP"], networks: { blue: announced(network, policy) as never } });
  });
  expect(text).toBe(refusal('RouteAdvertisement "r"', line));
});

it("refuses the option deletedWith for resources of this package, whose rows would stay, and for no other", async () => {
  const ports = (options: pulumi.CustomResourceOptions) =>
    void new WorkloadPorts("w", { zone: "z", switch: "l2", ports: { vm: { addresses: ["10.1.0.17"], tunnelKey: 27 } } }, options);
  const network = () => new Layer2Switch("l2", { zone: "z", name: "l2", subnets: ["10.1.0.0/16"] });
  const { text, made } = await refusalOf(() => ports({ deletedWith: network() }));
  expect(text).toBe(
    'OVN_DELETED_WITH: WorkloadPorts "w": what it has written would stay, and keep the other resource from being deleted; leave out the option "deletedWith"',
  );
  expect(made.map(({ name }) => name)).toEqual(["l2"]);
  expect((await refusalOf(() => ports({ deletedWith: new pulumi.ComponentResource("host:index:Host", "host") }))).text).toBeUndefined();
});
