import { driftedResources, type StackResource } from "@pulumi-ovn/cli/upgrade";
import { Connections } from "@pulumi-ovn/provider/targets";
import type { Properties } from "@pulumi-ovn/provider/tools";
import { Handled } from "../../../support/handled";
import { TestZones } from "../../../support/zones";

const URN = "urn:pulumi:dev::test::ovn:network:Layer2Network$pulumi-nodejs:dynamic/ovn:Layer2Switch::blue";
const NOTHING: Properties = {};
const handler = new Handled("Layer2Switch");

let zones: TestZones;
let connections: Connections;
let inputs: Properties;
let wider: Properties;
beforeAll(async () => {
  zones = await TestZones.start(["node1"], { northd: false });
  connections = new Connections(zones.config);
  inputs = await checked({});
  wider = await checked({ multicast: { snoop: false } });
});
afterAll(async () => {
  await connections?.close();
  await zones?.stop();
});

async function checked(more: Properties): Promise<Properties> {
  const { inputs, failures } = await handler.check(NOTHING, { zone: "node1", name: "blue", subnets: ["10.0.0.0/24"], owner: URN, ...more }, connections);
  expect(failures).toEqual([]);
  return inputs;
}

const resource = (inputs: Properties, outputs?: Properties, type = "pulumi-nodejs:dynamic/ovn:Layer2Switch"): StackResource => ({
  urn: URN,
  type,
  parent: "",
  inputs,
  ...(outputs && { outputs }),
});
const drifted = (before: StackResource, after: StackResource) => driftedResources(connections, [before], [after]);

it("reports rows that equal neither the former nor the desired ones", async () => {
  const { outs } = await handler.create(inputs, connections);
  const made = resource(inputs, outs);
  expect(await drifted(made, made)).toEqual([]);
  expect(await drifted(made, resource(wider))).toEqual([]);

  await zones.nbctl("node1", "set", "logical_switch", "blue", "other_config:subnet=10.9.9.0/24");
  expect(await drifted(made, made)).toEqual([URN]);
  expect(await drifted(made, resource(wider))).toEqual([URN]);
  // Its arguments are secret, so the desired rows are unknown here.
  expect(await drifted(resource(inputs, { ...outs, redact: ["subnets"] }), made)).toEqual([]);
  // A resource of another provider, whose outputs may also have a digest.
  expect(await drifted(resource(inputs, outs, "docker:index/image:Image"), made)).toEqual([]);

  await handler.update({ ...outs, digest: "drift" }, wider, connections);
  // Written by an update that was killed before its state was.
  expect(await drifted(made, resource(wider))).toEqual([]);
  expect(await drifted(made, made)).toEqual([URN]);

  expect(await driftedResources(connections, [made], [])).toEqual([URN]);

  await zones.nbctl("node1", "ls-del", "blue");
  expect(await drifted(made, resource(wider))).toEqual([URN]);
  // Deleted by an update that was killed before its state was written.
  expect(await driftedResources(connections, [made], [])).toEqual([]);
});

it("ignores rows that are not written yet", async () => {
  expect(await drifted(resource(inputs), resource(inputs))).toEqual([]);
});
