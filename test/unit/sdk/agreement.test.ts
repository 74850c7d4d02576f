import { Agreement, DisagreementError, TunnelKeyError, TunnelKeys } from "../../../sdk/agreement";

describe("what all zones must say", () => {
  it("may be said again, and of something else", () => {
    const agreement = new Agreement();
    agreement.require("the gateway", { resource: "one", zone: "a", value: "x" });
    agreement.require("the gateway", { resource: "two", zone: "b", value: "x" });
    agreement.require("the key", { resource: "two", zone: "b", value: "y" });
  });

  it("must not be said otherwise", () => {
    const agreement = new Agreement();
    agreement.require("the gateway", { resource: "one", zone: "a", value: "x" });
    const otherwise = () => agreement.require("the gateway", { resource: "two", zone: "b", value: "y", secret: true });
    expect(otherwise).toThrow(DisagreementError);
    expect(otherwise).toThrow('OVN_DISAGREEMENT: the gateway must be the same in all zones: one in zone "a" says x, two in zone "b" says [secret]');
  });
});

describe("a tunnel key", () => {
  it("is one datapath's in a zone, whatever resources say so, and free in others", () => {
    const keys = new TunnelKeys();
    keys.claim({ resource: "one", zone: "a", value: 5 }, 'switch "l2"');
    keys.claim({ resource: "again", zone: "a", value: 5 }, 'switch "l2"');
    keys.claim({ resource: "other", zone: "a", value: 6 }, 'router "l2"');
    keys.claim({ resource: "apart", zone: "b", value: 5 }, 'router "r"');
  });

  it("is no other's", () => {
    const keys = new TunnelKeys();
    keys.claim({ resource: "one", zone: "a", value: 5 }, 'switch "l2"');
    const twice = (secret?: boolean) => () => keys.claim({ resource: "two", zone: "a", value: 5, ...(secret && { secret }) }, 'router "r"');
    expect(twice()).toThrow(TunnelKeyError);
    expect(twice()).toThrow('OVN_CLAIMED: tunnel key 5 in zone "a": two wants it for router "r", and one has it for switch "l2"');
    expect(twice(true)).toThrow("OVN_CLAIMED: tunnel key [secret] in zone");
  });
});
