import * as pulumi from "@pulumi/pulumi";
import { claimTunnelKey, DisagreementError, requireAgreement, TunnelKeyError } from "../../../sdk/agreement";

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
