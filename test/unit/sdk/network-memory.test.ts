import * as pulumi from "@pulumi/pulumi";
import { Layer2Network } from "pulumi-ovn";
import { registeredBy } from "../../support/program";
import { dual } from "../topology/networks";

const workloads = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`w${index}`, { node: "node1", addresses: [`10.128.1.${index}`] }]));
const make = (count: number) => new Layer2Network("blue", { ...dual, tunnelKeys: [5, 6], subnets: ["10.128.0.0/16"], workloads: workloads(count) } as never);

const values = (value: unknown): number =>
  typeof value === "object" && value !== null ? Object.values(value).reduce((sum, each) => sum + values(each), 1) : 1;

/** Values of which outputs are asked for while a network is made: Pulumi makes one of each, with promises of its own. */
async function outputs(count: number): Promise<number> {
  const output = jest.spyOn(pulumi, "output");
  await registeredBy(() => void make(count));
  const found = output.mock.calls.map(([value]: unknown[]) => (pulumi.Output.isInstance(value) ? 1 : values(value))).reduce((sum, each) => sum + each, 0);
  output.mockRestore();
  return found;
}

it("a network of many workloads creates no output for each", async () => {
  const few = await outputs(2);
  expect(few).toBeGreaterThan(2);
  expect(await outputs(102)).toBe(few);
});

it("a workload's configuration is an output, and the same object each time", async () => {
  let network: Layer2Network | undefined;
  await registeredBy(() => void (network = make(2)));
  expect(Object.keys(network!.workloads)).toEqual(["w0", "w1"]);
  const { w1 } = network!.workloads;
  expect(network!.workloads["w1"]).toBe(w1);
  expect(pulumi.Output.isInstance(w1)).toBe(true);
  expect(await new Promise((resolve) => w1!.apply(resolve))).toMatchObject({ addresses: ["10.128.1.1/16"] });
});
