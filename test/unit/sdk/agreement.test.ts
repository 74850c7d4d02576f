import { GatewayRouter, type GatewayRouterArgs, Layer2Switch } from "pulumi-ovn";
import { claimTunnelKey, requireAgreement } from "pulumi-ovn/testing";
import { refusalOf, registeredBy } from "../../support/program";

const OTHER_KEY = "give one of the two another tunnel key, or both keys of a TunnelKeyPool";

/** The error of a second switch in the program, with other arguments than the first. */
const withSecond = async (args: Partial<ConstructorParameters<typeof Layer2Switch>[1]>) => {
  const first = { zone: "a", name: "l2", subnets: ["10.0.0.0/8"], tunnelKey: 5 };
  return (await refusalOf(() => void [new Layer2Switch("one", first), new Layer2Switch("two", { ...first, ...args })])).text;
};

test.each([
  [
    "another key in another zone",
    { zone: "b", tunnelKey: 7 },
    'OVN_DISAGREEMENT: tunnelKey of switch "l2" must be the same in all zones: one in zone "a" says 5, two in zone "b" says 7',
  ],
  [
    "the key of another switch",
    { name: "l3" },
    `OVN_CLAIMED: tunnel key 5 in zone "a" is already used by one for switch "l2", wanted by two for switch "l3"; ${OTHER_KEY}`,
  ],
  [
    "the name of another switch",
    {},
    'OVN_CLAIMED: switch "l2" in zone "a" is already made by Layer2Switch "one", wanted by Layer2Switch "two"; choose another name',
  ],
  ["the same in another zone", { zone: "b" }, undefined],
  ["another name and key", { name: "l3", tunnelKey: 6 }, undefined],
  ["another name and key in another zone", { zone: "b", name: "l3", tunnelKey: 6 }, undefined],
])("a second switch with %s", async (_what, args, text) => expect(await withSecond(args)).toBe(text));

test("a secret key is not shown", async () => {
  await registeredBy(() => {
    requireAgreement("the key", { resource: "one", zone: "a", value: 5 });
    expect(() => requireAgreement("the key", { resource: "two", zone: "b", value: 7, secret: true })).toThrow(
      'one in zone "a" says 5, two in zone "b" says [secret]',
    );
    claimTunnelKey({ resource: "one", zone: "a", value: 5 }, 'switch "l2"');
    expect(() => claimTunnelKey({ resource: "two", zone: "a", value: 5, secret: true }, 'router "r"')).toThrow("OVN_CLAIMED: tunnel key [secret] in zone");
  });
});

describe("an address of gateway routers on a physical network", () => {
  const args = (name: string, external: object = {}, more: object = {}): GatewayRouterArgs => ({
    zone: "node1",
    name,
    chassis: "node1",
    external: { switchName: `ext_${name}`, localnetPortName: `br-ex_${name}`, addresses: ["172.18.0.11/16", "fc00::b/64"], ...external },
    ...more,
  });
  const masquerade = { masquerade: { subnets: ["169.254.0.0/17"], addresses: ["169.254.0.11"] } };
  const second = async (two: GatewayRouterArgs, one = args("one")) => {
    const { text } = await refusalOf(() => {
      new GatewayRouter("one", one);
      new GatewayRouter("two", two);
    });
    return text?.replace('OVN_CLAIMED: GatewayRouter "two" in zone "node1": ', "");
  };

  it.each<[string, GatewayRouterArgs, string]>([
    ["an address", args("two", { addresses: ["172.18.0.12/16", "fc00:0::b/64"] }), 'external.addresses[1]: fc00::b on physical network "physnet"'],
    ["a MAC", args("two", { addresses: ["172.18.0.12/16"], mac: "0A:58:AC:12:00:0B" }), 'external.mac: 0a:58:ac:12:00:0b on physical network "physnet"'],
    ["its host's address", args("two", {}, masquerade), 'external.addresses[0]: 172.18.0.11 on physical network "physnet"'],
    [
      "an address of a further network",
      args(
        "two",
        { addresses: ["10.0.0.2/16"], vlan: 7 },
        { furtherExternals: { storage: { switchName: "s", localnetPortName: "l", networkName: "physnet", addresses: ["172.18.0.11/24"] } } },
      ),
      'furtherExternals.storage.addresses[0]: 172.18.0.11 on physical network "physnet"',
    ],
  ])("is one router's: %s", async (_what, two, about) => {
    expect(await second(two)).toBe(`${about} is already used by GatewayRouter "one"; choose another value`);
  });

  it.each<readonly [string, GatewayRouterArgs, GatewayRouterArgs | undefined]>([
    ["another zone", args("two", {}, { zone: "node2" }), undefined],
    ["another physical network", args("two", { networkName: "storage" }), undefined],
    ["another VLAN", args("two", { vlan: 7 }), undefined],
    ["routers that share their host's addresses", args("two", {}, masquerade), args("one", {}, masquerade)],
    ["arguments that the provider refuses", args("two", { addresses: ["172.18.0.11"] }), undefined],
  ])("is free: %s", async (_what, two, one) => {
    expect(await second(two, one)).toBeUndefined();
  });
});
