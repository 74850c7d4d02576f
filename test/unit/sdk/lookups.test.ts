import * as pulumi from "@pulumi/pulumi";
import { getPort, getRouter, getSwitch } from "pulumi-ovn";

beforeAll(() => pulumi.runtime.setMocks({ newResource: ({ name, inputs }) => ({ id: name, state: inputs as object }), call: () => ({}) }, "net", "dev"));

const said = async (looked: Promise<unknown>): Promise<string> =>
  looked.then(
    () => "found",
    ({ message }: Error) => message,
  );

it.each<[string, () => Promise<unknown>, string]>([
  [
    "an unknown argument",
    () => getRouter({ zon: "node1", name: "r" } as never),
    'OVN_ARGUMENT: getRouter: zone: is required; zon: there is no argument "zon"; did you mean "zone"?',
  ],
  ["nothing", () => (getSwitch as () => Promise<unknown>)(), "OVN_ARGUMENT: getSwitch: args: is required"],
  ["null", () => getPort(null as never), "OVN_ARGUMENT: getPort: args: must be an object, not null"],
  ["a number for a name", () => getPort({ zone: "node1", name: 5 } as never), "OVN_ARGUMENT: getPort: name: must be a text, not a number"],
  ["an empty name", () => getPort({ zone: "", name: "vm1" }), "OVN_ARGUMENT: getPort: zone: must have at least one character"],
])("says what is wrong with %s", async (_what, look, text) => {
  expect(await said(look())).toBe(text);
});
