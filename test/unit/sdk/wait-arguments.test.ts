import { EgressIPPolicy, Layer2Network, type Layer2NetworkArgs, NodeLocalAccess, Propagation, type WaitFor } from "pulumi-ovn";
import { refusalOf, registeredBy } from "../../support/program";

const node = (id: number) => ({ id, external: { addresses: [`172.18.0.${10 + id}/24`], nextHops: ["172.18.0.1"] } });
const network: Layer2NetworkArgs = {
  name: "blue",
  subnets: ["10.1.0.0/16"],
  tunnelKeys: [5, 6],
  nodes: { a: node(1), b: node(2) },
  workloads: { vm: { node: "a", addresses: ["10.1.0.17"] } },
};
const described = {
  name: "blue",
  subnets: ["10.1.0.0/16"],
  joinSubnets: ["100.65.0.0/16"],
  transitSubnets: ["100.88.0.0/16"],
  nodes: { a: { id: 1, externalAddresses: ["172.18.0.11/24"], nextHops: ["172.18.0.1"] } },
  workloads: { vm: { node: "a", addresses: ["10.1.0.17"] } },
};
const zones = { a: { router: "r", nodes: { a: { routerPort: "rtos-a", hostAddresses: ["172.18.0.11"], management: { addresses: ["192.168.1.2"] } } } } };

interface Wait {
  readonly waitFor?: WaitFor;
  readonly waitTimeout?: number;
}

const COMPONENTS: readonly (readonly [string, (wait: Wait, wrong?: object) => void])[] = [
  ["Layer2Network", (wait, wrong) => void new Layer2Network("n", { ...network, ...wait, ...wrong })],
  [
    "EgressIPPolicy",
    (wait, wrong) => void new EgressIPPolicy("n", { network: described, addresses: { "172.18.0.99": "a" }, workloads: ["vm"], ...wait, ...wrong }),
  ],
  ["NodeLocalAccess", (wait, wrong) => void new NodeLocalAccess("n", { zones, ...wait, ...wrong })],
];

/** The error text, and the kinds of the resources registered nevertheless. */
async function refused(program: () => void): Promise<[string, string[]]> {
  const { text = "", made } = await refusalOf(program);
  return [text, made.map(({ kind }) => kind)];
}

describe.each(COMPONENTS)("%s", (kind, make) => {
  it("refuses an unknown wait before it registers any resource", async () => {
    expect(await refused(() => make({ waitFor: "chasis" as never, waitTimeout: 0 }))).toEqual([
      `${kind} "n" can't be made from these arguments:\n` +
        '  waitFor: "chasis" is not one of "none", "southbound", "chassis"; did you mean "chassis"? [invalid_value]\n' +
        "  waitTimeout: must be greater than 0 [too_small]",
      [kind],
    ]);
  });

  it.each([Infinity, NaN])("refuses to wait for %p seconds", async (waitTimeout) => {
    expect((await refused(() => make({ waitFor: "chassis", waitTimeout })))[0]).toBe(
      `${kind} "n" can't be made from these arguments:\n  waitTimeout: must be a number, not ${waitTimeout} [invalid_type]`,
    );
  });

  it("reports it together with other errors", async () => {
    const [text, made] = await refused(() => make({ waitFor: "chasis" as never }, { externalIds: 5 }));
    expect(text.split("\n")).toEqual([
      `${kind} "n" can't be made from these arguments:`,
      "  externalIds: must be an object, not a number [invalid_type]",
      '  waitFor: "chasis" is not one of "none", "southbound", "chassis"; did you mean "chassis"? [invalid_value]',
    ]);
    expect(made).toEqual([kind]);
  });

  it.each<[Wait, object | undefined]>([
    [
      { waitFor: "southbound", waitTimeout: 7 },
      { waitFor: "southbound", timeout: 7 },
    ],
    [{}, { waitFor: "chassis" }],
    [{ waitFor: "none" }, undefined],
  ])("waits as %j says", async (wait, expected) => {
    const made = await registeredBy(() => make(wait), false, { AddressPool: { addresses: { a: ["169.254.0.3/20"] } } });
    const waits = made.filter((one) => one.kind === Propagation.name).map(({ inputs: { waitFor, timeout } }) => ({ waitFor, timeout }));
    expect(waits.every((one) => JSON.stringify(one) === JSON.stringify(expected))).toBe(true);
    expect(waits.length > 0).toBe(expected !== undefined);
  });
});
