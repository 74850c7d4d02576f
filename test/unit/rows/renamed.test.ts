import { renameAdvice } from "@pulumi-ovn/provider/testing";

const urn = (name: string, type = "ovn:Layer2Switch", stack = "dev") => `urn:pulumi:${stack}::net::${type}::${name}`;
const child = "ovn:Layer2Network$ovn:Layer2Switch";

it.each([
  ["another name", urn("new"), urn("old"), 'if the resource was renamed, set its option aliases: [{ name: "old" }]; otherwise '],
  ["another name in a component", urn("new-switch", child), urn("old-switch", child), expect.stringContaining("if the component was renamed")],
  ["another stack", urn("new"), urn("old", undefined, "prod"), ""],
  ["another type", urn("new"), urn("old", "ovn:TransitRouter"), ""],
  ["another manager", urn("new"), "k8s.ovn.org/network=blue", ""],
])("names the alias for %s", (_what, now, owner, advice) => {
  expect(renameAdvice(now, owner)).toEqual(advice);
});
