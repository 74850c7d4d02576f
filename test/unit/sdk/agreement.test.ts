import * as pulumi from "@pulumi/pulumi";
import { DisagreementError, GatewayRouter, type GatewayRouterArgs, TunnelKeyError } from "pulumi-ovn";
import { agreedZone, claimTunnelKey, requireAgreement } from "pulumi-ovn/testing";
import { refusalOf } from "../../support/program";

/** Another run of a program. */
const run = () => pulumi.runtime.setMocks({ newResource: ({ inputs }) => ({ id: "it", state: inputs }), call: ({ inputs }) => inputs });
beforeEach(run);

describe("what all zones must say", () => {
  const otherwise = () => requireAgreement("the gateway", { resource: "two", zone: "b", value: "y", secret: true });

  it("may be said again, and of something else", () => {
    requireAgreement("the gateway", { resource: "one", zone: "a", value: "x" });
    requireAgreement("the gateway", { resource: "two", zone: "b", value: "x" });
    requireAgreement("the key", { resource: "two", zone: "b", value: "y" });
  });

  it("must not be said otherwise", () => {
    requireAgreement("the gateway", { resource: "one", zone: "a", value: "x" });
    expect(otherwise).toThrow(DisagreementError);
    expect(otherwise).toThrow('OVN_DISAGREEMENT: the gateway must be the same in all zones: one in zone "a" says x, two in zone "b" says [secret]');
  });

  it("may be said otherwise by the next run", async () => {
    requireAgreement("the gateway", { resource: "one", zone: "a", value: "x" });
    await run();
    expect(otherwise).not.toThrow();
  });
});

describe("a tunnel key", () => {
  const twice = (secret?: boolean) => () => claimTunnelKey({ resource: "two", zone: "a", value: 5, ...(secret && { secret }) }, 'router "r"');

  it("is one datapath's in a zone, whatever resources say so, and free in others", () => {
    claimTunnelKey({ resource: "one", zone: "a", value: 5 }, 'switch "l2"');
    claimTunnelKey({ resource: "again", zone: "a", value: 5 }, 'switch "l2"');
    claimTunnelKey({ resource: "other", zone: "a", value: 6 }, 'router "l2"');
    claimTunnelKey({ resource: "apart", zone: "b", value: 5 }, 'router "r"');
  });

  it("is no other's", () => {
    claimTunnelKey({ resource: "one", zone: "a", value: 5 }, 'switch "l2"');
    expect(twice()).toThrow(TunnelKeyError);
    expect(twice()).toThrow(
      'OVN_CLAIMED: tunnel key 5 in zone "a" is already used by one for switch "l2", wanted by two for router "r"; give one of the two another tunnel key, or both keys of a TunnelKeyPool',
    );
    expect(twice(true)).toThrow("OVN_CLAIMED: tunnel key [secret] in zone");
  });

  it("is free again in the next run", async () => {
    claimTunnelKey({ resource: "one", zone: "a", value: 5 }, 'switch "l2"');
    await run();
    expect(twice()).not.toThrow();
  });
});

test("two resources can't make one switch in a zone", () => {
  const first = (resource: string, zone: string) => () => agreedZone("Layer2Switch", resource, { zone, name: "l2", subnets: ["10.0.0.0/8"] });
  void first("one", "a")();
  void first("one", "b")();
  expect(first("two", "a")).toThrow(
    'OVN_CLAIMED: switch "l2" in zone "a" is already made by Layer2Switch "one", wanted by Layer2Switch "two"; choose another name',
  );
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
