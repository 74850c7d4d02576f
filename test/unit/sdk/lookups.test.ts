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
  [
    "an unknown argument that is near to a known one",
    () => getPort({ zone: "node1", name: "r", names: "s", chassis: "h1" } as never),
    'OVN_ARGUMENT: getPort: names: there is no argument "names"; did you mean "name"?',
  ],
  [
    "unknown arguments, one of which may stand for a missing one",
    () => getSwitch({ zone: "node1", called: "s", chassis: undefined } as never),
    'OVN_ARGUMENT: getSwitch: name: is required; called: there is no argument "called"',
  ],
  ["nothing", () => (getSwitch as () => Promise<unknown>)(), "OVN_ARGUMENT: getSwitch: args: is required"],
  ["null", () => getPort(null as never), "OVN_ARGUMENT: getPort: args: must be an object, not null"],
  ["a number for a name", () => getPort({ zone: "node1", name: 5 } as never), "OVN_ARGUMENT: getPort: name: must be a text, not a number"],
  ["an empty name", () => getPort({ zone: "", name: "vm1" }), "OVN_ARGUMENT: getPort: zone: must have at least one character"],
  [
    "an output as a whole",
    () => getRouter(pulumi.output({ zone: "node1", name: "r" }) as never),
    "OVN_ARGUMENT: getRouter: args: can't be an output or a promise as a whole; use getRouterOutput",
  ],
  [
    "a promise as a whole",
    () => getPort(Promise.resolve({ zone: "node1", name: "r" }) as never),
    "OVN_ARGUMENT: getPort: args: can't be an output or a promise as a whole; use getPortOutput",
  ],
])("says what is wrong with %s", async (_what, look, text) => {
  expect(await said(look())).toBe(text);
});

it.each<[string, object]>([
  ["that an object has besides", { chassis: "h1", node: { id: 1 } }],
  ["whose value is undefined, near to a known one or not", { names: undefined, chassis: undefined }],
])("takes arguments %s", async (_what, further) => {
  for (const look of [getRouter, getSwitch, getPort]) {
    expect(await said(look({ ...further, zone: "nowhere", name: "r" }))).toMatch(
      new RegExp(`^OVN_ZONE: ${look.name} "r" in zone "nowhere": zone "nowhere" is not configured`),
    );
  }
});

it("reports errors in the arguments as failures", async () => {
  const failuresOf = (looked: Promise<unknown>) => looked.catch(({ failures }: { failures: unknown }) => failures);
  expect(await failuresOf(getRouter({ zon: "node1", name: "r" } as never))).toEqual([
    { path: "zone", code: "required", message: "is required" },
    { path: "zon", code: "unknown-argument", message: 'there is no argument "zon"; did you mean "zone"?' },
  ]);
  expect(await failuresOf(getSwitch(pulumi.output({ zone: "node1", name: "r" }) as never))).toEqual([
    { path: "args", code: "invalid_type", message: "can't be an output or a promise as a whole; use getSwitchOutput" },
  ]);
  expect(await failuresOf(getRouter({ zone: "nowhere", name: "r" }))).toEqual([]);
});
