import { Connections } from "@pulumi-ovn/provider/targets";
import { HeldResource } from "../../support/held-resource";
import { OpenVSwitch } from "../../support/open-vswitch";

// A VPC of another stack on the same host, which only the host's database shows.
const OTHER = "urn:pulumi:prod::net::pulumi-nodejs:dynamic/ovn:VpcBridges::other";
let host: OpenVSwitch;
let targets: Connections;

beforeAll(async () => {
  host = await OpenVSwitch.start();
  targets = new Connections({}, { h1: { openvswitch: host.endpoint, command: ["/nowhere"] } });
  for (const bridge of ["br-t1001", "br-t1003", "lr-blue"])
    await host.vsctl("add-br", bridge, "--", "set", "Bridge", bridge, `external_ids:pulumi-ovn\\:owner="${OTHER}"`);
});
afterAll(async () => {
  await targets?.close();
  await host?.[Symbol.asyncDispose]();
});

const everything = async () => (await Promise.all(["Bridge", "Port", "Interface"].map((table) => host.vsctl("--format=csv", "list", table)))).join("\n");
const TIERS = { app: { key: 1003, cidrs: ["10.1.2.0/24"], gatewayMac: "0a:58:0a:01:02:01" } };

test.each([
  ["VpcBridges", "an equal key", "br-t1001", { vpc: "green", tiers: { app: 1002, web: 1001 }, tunnelAddress: "198.18.0.1", remotes: { h2: "198.18.0.2" } }],
  ["LogicalRouterBridge", "an equal name", "lr-blue", { vpc: "blue", mac: "0e:00:00:00:00:01", tiers: TIERS }],
])("%s with %s: refused with the owner's name, and nothing is written", async (kind, _what, bridge, args) => {
  const before = await everything();
  const resource = new HeldResource(kind, `urn:pulumi:dev::net::pulumi-nodejs:dynamic/ovn:${kind}::own`, targets);
  await expect(resource.up({ host: "h1", ...args })).rejects.toMatchObject({
    code: "OVN_NAME_TAKEN",
    message: expect.stringMatching(`Bridge ${bridge} exists already: Bridge "${bridge}" \\([-0-9a-f]+\\) of ${OTHER};`) as string,
  });
  expect(await everything()).toBe(before);
});
