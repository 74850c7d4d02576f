import { difference, NO_DIFFERENCE } from "../support/dump";
import { Workspace } from "../support/workspace";
import { TestZones } from "../support/zones";

jest.setTimeout(600_000);

const ZONES = ["node1", "node2"];
let zones: TestZones;
let workspace: Workspace;
beforeAll(async () => {
  zones = await TestZones.start(ZONES, { northd: false });
  workspace = await Workspace.create("", zones.config);
});
afterAll(async () => {
  await workspace?.[Symbol.asyncDispose]();
  await zones?.stop();
});

/** Networks over the same hosts, each with the hosts' tunnel addresses. */
const program = (...names: string[]) =>
  names
    .map((name) => {
      const index = name.charCodeAt(0) - 96;
      const nodes = Object.fromEntries(
        ZONES.map((node, place) => [
          node,
          { id: place + 1, tunnelAddresses: [`198.18.0.${place + 1}`], external: { addresses: [`172.18.${index}.${place + 1}/16`] } },
        ]),
      );
      const workloads = { [`vm-${name}`]: { node: "node1", addresses: [`10.${index}.0.17`] } };
      return `new ovn.Layer2Network("${name}", ${JSON.stringify({ name, subnets: [`10.${index}.0.0/16`], tunnelKeys: [100 * index + 1, 100 * index + 2], nodes, workloads, waitFor: "none" })});`;
    })
    .join("\n");

/** The remote chassis of each zone, and their tunnels. */
async function remotes(): Promise<string[]> {
  const found = await Promise.all(
    ZONES.map(async (zone) => {
      const sbctl = async (...args: string[]) => (await zones.centrals[zone]!.run("ovn-sbctl", ["--bare", ...args])).stdout.trim();
      return `${zone}: ${await sbctl("--columns=name", "list", "Chassis")} by ${await sbctl("--columns=ip", "list", "Encap")}`;
    }),
  );
  return found;
}
const switches = () => Promise.all(ZONES.map((zone) => zones.nbctl(zone, "--bare", "--columns=name", "find", "Logical_Switch", "name!=none")));

it("two networks over the same hosts share the hosts' chassis, until the last of them goes: nothing is left", async () => {
  const before = await zones.northbound();
  const both = ["node1: node2 by 198.18.0.2", "node2: node1 by 198.18.0.1"];
  for (const [networks, expected] of [
    [["a", "b"], both],
    [["b"], both],
  ] as const) {
    await workspace.write(program(...networks));
    await workspace.up();
    expect(await remotes()).toEqual(expected);
    for (const names of await switches())
      for (const name of ["a", "b"]) expect(names.includes(`${name}_ovn_layer2_switch`)).toBe((networks as readonly string[]).includes(name));
  }
  await workspace.write("");
  await workspace.up();
  expect(difference(before, await zones.northbound())).toEqual(NO_DIFFERENCE);
  expect([...(await zones.southbound()).keys()].filter((row) => / (Chassis|Encap) /.test(row))).toEqual([]);
});
