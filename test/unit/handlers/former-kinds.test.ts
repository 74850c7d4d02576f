import * as ovn from "pulumi-ovn";
import { formerTypes, kindOfType, providerText, typeToken } from "@pulumi-ovn/provider";
import { provider } from "@pulumi-ovn/provider/runtime";
import { ResourceError } from "@pulumi-ovn/provider/testing";
import { handlers } from "@pulumi-ovn/provider/tools";

/** A switch in the state of a release before 0.2. */
const FORMER = { type: "pulumi-nodejs:dynamic/ovn:LayerTwoSwitch", text: 'exports.handler=()=>require("pulumi-ovn/runtime").provider("LayerTwoSwitch")' };

const { PULUMI_OVN_ZONES } = process.env;
beforeAll(() => void (process.env.PULUMI_OVN_ZONES = '{"node1":"unix:/nowhere"}'));
afterAll(() => {
  if (PULUMI_OVN_ZONES === undefined) delete process.env.PULUMI_OVN_ZONES;
  else process.env.PULUMI_OVN_ZONES = PULUMI_OVN_ZONES;
});

it("are served by their current kinds, in states and in programs", async () => {
  expect([formerTypes("Layer2Switch"), kindOfType(FORMER.type), kindOfType("LayerTwoSwitch")]).toEqual([[FORMER.type], "Layer2Switch", "Layer2Switch"]);
  expect((ovn as unknown as Record<string, unknown>).LayerTwoSwitch).toBe(ovn.Layer2Switch);
  const subnets = ["10.0.0.0/16"];
  const checked = await Promise.all(
    ["LayerTwoSwitch", "Layer2Switch"].map((kind) => provider(kind).check!({}, { owner: "urn", zone: "node1", name: "blue", subnets })),
  );
  expect(checked[0]).toEqual(checked[1]);
  expect(checked[0]!.inputs).toMatchObject({ rows: expect.anything() as unknown });
});

it("keep the provider text of the state: another one would change every resource", () => {
  expect(providerText("Layer2Switch")).toBe(FORMER.text);
  expect(providerText("TransitRouter")).toBe('exports.handler=()=>require("pulumi-ovn/runtime").provider("TransitRouter")');
});

it("are not listed as kinds: new resources and messages have today's name", () => {
  expect(Object.keys(handlers).filter((kind) => kindOfType(kind) !== kind)).toEqual([]);
  expect(Object.keys(handlers).filter((kind) => formerTypes(kind).length > 0)).toEqual(["Layer2Switch"]);
  expect([typeToken("Layer2Switch"), kindOfType("constructor"), formerTypes("constructor")]).toEqual([
    "pulumi-nodejs:dynamic/ovn:Layer2Switch",
    "constructor",
    [],
  ]);
  expect(new ResourceError({ urn: `urn:pulumi:dev::net::${FORMER.type}::blue`, target: 'zone "node1"' }, new Error("it is gone")).message).toBe(
    'OVN_INTERNAL: Layer2Switch "blue" in zone "node1": it is gone',
  );
});
