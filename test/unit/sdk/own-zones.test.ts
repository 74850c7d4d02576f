import { EgressIPPolicy, Layer2Network, type Layer2NetworkArgs } from "pulumi-ovn";
import { refusalOf, registeredBy } from "../../support/program";

const node = (id: number) => ({ id, tunnelAddresses: [`198.18.0.${id}`], external: { addresses: [`172.18.0.${10 + id}/24`], nextHops: ["172.18.0.1"] } });
const network: Layer2NetworkArgs = {
  name: "blue",
  subnets: ["10.1.0.0/16"],
  tunnelKeys: [5, 6],
  nodes: { a: node(1), b: { ...node(2), zone: "west" }, c: node(3) },
  workloads: { vm: { node: "a", addresses: ["10.1.0.17"] }, far: { node: "b", addresses: ["10.1.0.18"] } },
};

it("writes only this stack's zones, with the rows of a stack of all zones", async () => {
  const whole = await registeredBy(() => void new Layer2Network("n", network));
  const own = await registeredBy(() => void new Layer2Network("n", { ...network, zones: ["west"] }));
  const written = whole.filter(({ inputs: { zone } }) => zone === "west" || zone === undefined).filter(({ kind }) => kind !== "Propagation");
  expect(written.map(({ name }) => name)).toEqual(["n", "n-chassis-b", "n-gateway-b", "n-members", "n-switch-b", "n-topology-b", "n-workloads-b"]);
  expect(own.filter(({ kind }) => kind !== "Propagation")).toEqual(written);
  expect(Object.keys(own.find(({ kind }) => kind === "Propagation")!.inputs["zones"] as object)).toEqual(["west"]);
});

it("registers the resources of an egress policy in these zones", async () => {
  const made = await registeredBy(() => {
    const blue = new Layer2Network("n", { ...network, zones: ["a", "c"] });
    new EgressIPPolicy("web", { network: blue, addresses: { "172.18.0.98": "a", "172.18.0.99": "b" }, workloads: ["vm", "far"] });
  });
  const parts = made.filter(({ kind }) => kind === "EgressAddress" || kind === "EgressReroute");
  expect(parts.map(({ name, inputs: { zone } }) => [name, zone])).toEqual([
    ["web-172.18.0.98-a", "a"],
    ["web-reroute-a", "a"],
  ]);
});

const CASES: readonly (readonly [zones: unknown, message: string])[] = [
  [["a", "b"], 'zones[1]: no node is in zone "b" [unknown-zone]'],
  [[], "zones: is a list of at least one zone [invalid_type]"],
  ["a", "zones: is a list of at least one zone [invalid_type]"],
  [Promise.resolve(["a"]), "zones: can't be an output: which resources there are depends on it [plain]"],
];

it.each(CASES)("refuses %j", async (zones, message) => {
  const { text, made } = await refusalOf(() => void new Layer2Network("n", { ...network, zones: zones as string[] }));
  expect([text, made.map(({ kind }) => kind)]).toEqual([`Layer2Network "n" can't be made from these arguments:\n  ${message}`, ["Layer2Network"]]);
});
