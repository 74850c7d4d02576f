import * as pulumi from "@pulumi/pulumi";
import { BgpExposure } from "pulumi-ovn";
import { requireOneInstance } from "pulumi-ovn/testing";
import { registeredBy } from "../../support/program";

type Args = ConstructorParameters<typeof BgpExposure>[1];
const AGENT = { zone: "z", mode: "agent" as const, chassis: ["h1", "h2"], asNumber: 64513, floatingIPs: true };
const program = (exposures: Record<string, Partial<Args>>) => () =>
  Object.entries(exposures).forEach(([name, more]) => new BgpExposure(name, { ...AGENT, ...more } as Args));

test("an exposure for agents has the resource's name, or the given one", async () => {
  const registered = await registeredBy(
    program({
      one: {},
      two: { name: "other" },
      three: { mode: pulumi.output("agent" as const) },
      four: { mode: "ovn", chassis: undefined, asNumber: undefined, routers: { gr: { table: 1 } } },
      five: { mode: pulumi.output("ovn" as const), chassis: undefined, asNumber: undefined },
    }),
  );
  expect(Object.fromEntries(registered.map(({ name, inputs }) => [name, inputs["name"]]))).toEqual({
    one: "one",
    two: "other",
    three: "three",
    four: undefined,
    five: undefined,
  });
});

test.each<[string, Partial<Args>, string]>([
  ["AS number", { asNumber: 64514 }, 'OVN_DISAGREEMENT: chassis "h2" of zone "z" has one AS number: one says 64513, two says 64514'],
  ["routing table", { table: 1300 }, 'OVN_DISAGREEMENT: chassis "h2" of zone "z" has one routing table: one says 1200, two says 1300'],
  ["router id", { routerIds: { h2: "192.0.2.9" } }, 'OVN_DISAGREEMENT: chassis "h2" of zone "z" has one router id: one says 192.0.2.2, two says 192.0.2.9'],
])("two exposures of a program give a chassis another %s: the program ends", async (_title, more, message) => {
  const one = { routerIds: { h2: "192.0.2.2" } };
  await expect(registeredBy(program({ one, two: { chassis: ["h2", "h3"], ...more } }))).rejects.toThrow(message);
  // On another chassis, or in another zone, they may; and nothing of a run is left for the next.
  await registeredBy(program({ one, two: { ...more, chassis: ["h3"], ...(more.routerIds ? { routerIds: {} } : {}) }, three: { zone: "y", ...more } }));
});

test("different secrets are reported without values; arguments of the other mode are not compared", async () => {
  await registeredBy(() => {
    requireOneInstance("one", { ...AGENT, chassis: ["h1"] }, false);
    const two = { ...AGENT, chassis: ["h1"], asNumber: 64514 };
    expect(() => requireOneInstance("two", two, true)).toThrow('chassis "h1" of zone "z" has one AS number: one says 64513, two says [secret]');
    expect(() => requireOneInstance("two", { ...two, mode: "ovn" }, true)).not.toThrow();
  });
});
