import { log } from "@pulumi/pulumi";
import { ownerOf, served } from "../../support/provider";

const ZONES = { node1: { northbound: "unix:/1" }, node2: { northbound: "unix:/2" }, node3: { northbound: "unix:/3" } };
const router = (zone: string, network: string, mac?: string) => ({
  owner: ownerOf("TransitRouter", `${network}-${zone}`),
  zone,
  name: `${network}_transit_router`,
  tunnelKey: 6,
  switch: network,
  switchName: network,
  gateway: { addresses: ["203.203.0.1/16"], ...(mac && { mac }) },
});

afterEach(() => jest.restoreAllMocks());

it("an equal change in all zones of a network is reported once, with the same text for any order of checks", async () => {
  const said: string[] = [];
  jest.spyOn(log, "warn").mockImplementation((text) => (said.push(text), Promise.resolve()));
  const provider = await served("TransitRouter", ZONES);
  const change = async (network: string, zones: readonly string[]) => {
    for (const zone of zones) {
      const { inputs } = await provider.check({}, router(zone, network));
      await provider.check(inputs, router(zone, network, "0a:58:00:00:00:07"));
    }
  };
  await change("blue", ["node1", "node2", "node3"]);
  await change("red", ["node3", "node2", "node1"]);
  const changes =
    "mac changes from 0a:58:cb:cb:00:01 to 0a:58:00:00:00:07: what runs keeps the old MAC in its neighbour table, and loses packets to this router until the entry expires or the router announces itself [OVN_WARN_ROUTER_MAC]";
  expect(said).toEqual([`Logical_Router_Port trtos-blue: ${changes}`, `Logical_Router_Port trtos-red: ${changes}`]);
});
