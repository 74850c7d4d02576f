import { provider } from "@pulumi-ovn/provider/runtime";

const PARTS = [
  "kinds/topology/transit-router",
  "kinds/topology/raw-rows",
  "kinds/topology/bridge-flows",
  "kinds/vpc/vpc-bridges",
  "kinds/advertisement",
  "kinds/exposure",
  "backends/flows/backend",
  "backends/host/backend",
  "backends/objects/backend",
  "serve/handlers/propagation",
];

const loaded = () => PARTS.filter((path) => Object.keys(require.cache).some((file) => file.includes(`/provider/${path}`)));

it("loads a kind and its back end at the first use", async () => {
  expect(loaded()).toEqual([]);
  await provider("TransitRouter").check!({}, {}).catch(() => undefined);
  expect(loaded()).toEqual(["kinds/topology/transit-router"]);
  await provider("BridgeFlows").check!({}, {}).catch(() => undefined);
  expect(loaded()).toEqual(["kinds/topology/transit-router", "kinds/topology/bridge-flows", "backends/flows/backend"]);
});
