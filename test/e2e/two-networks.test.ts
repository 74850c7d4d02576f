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

it("two networks share the chassis of their hosts until the last one is destroyed", async () => {
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

it("isolates the advertised network of another stack, whose subnets a stack reads from it", async () => {
  const before = await zones.northbound();
  const guest = await Workspace.create("", zones.config, "guest");
  // Stacks refer to those of their own backend only.
  guest.environment.PULUMI_BACKEND_URL = workspace.environment.PULUMI_BACKEND_URL;
  await guest.must("stack", "init", "dev");
  const network = (name: string, index: number, advertised: string) =>
    beside(name, index, at(`172.18.${index}.1`), `{ subnets: ["10.${index}.0.0/16", "fd0${index}::/64"], advertised: ${advertised} }`);
  await workspace.write(`${network("a", 1, "{}")}\nexports.subnets = ["10.1.0.0/16", "fd01::/64"];`);
  await workspace.up();
  await guest.write(
    `const others = new pulumi.StackReference("organization/trial/dev").requireOutput("subnets");\n${network("b", 2, "{ isolateFrom: others, dropFrom: others }")}`,
  );
  await guest.up();

  const dropped = async (router: string) =>
    (await zones.nbctl("node1", "lr-policy-list", router)).split("\n").flatMap((line) => / 9000 +(.*\S) +drop/.exec(line)?.[1] ?? []);
  expect((await dropped("GR_b_node1")).sort()).toEqual([
    "ip4.src == 10.1.0.0/16 && ip4.dst == 10.2.0.0/16",
    "ip4.src == 10.2.0.0/16 && ip4.dst == 10.1.0.0/16",
    "ip6.src == fd01::/64 && ip6.dst == fd02::/64",
    "ip6.src == fd02::/64 && ip6.dst == fd01::/64",
  ]);
  expect(await dropped("GR_a_node1")).toEqual([]);

  await guest.must("destroy", "--yes", "--skip-preview", "--stack", "dev");
  await workspace.must("destroy", "--yes", "--skip-preview", "--stack", "dev");
  await guest[Symbol.asyncDispose]();
  expect(difference(before, await zones.northbound())).toEqual(NO_DIFFERENCE);
});

/** A network over node1 of a stack of its own. */
const beside = (name: string, index: number, external: object, more = "{}") =>
  `new ovn.Layer2Network("${name}", { ...${JSON.stringify({
    name,
    subnets: [`10.${index}.0.0/16`],
    tunnelKeys: [100 * index + 1, 100 * index + 2],
    nodes: { node1: { id: 1, tunnelAddresses: ["198.18.0.1"], external } },
    waitFor: "none",
  })}, ...${more} });`;
const shared = (networkId: number) => `{ networkId: ${networkId}, masquerade: { hostFlows: true } }`;
const at = (address: string, more = {}) => ({ addresses: [`${address}/16`], ...more });

it("refuses the address of another stack on a physical network, and lets networks share their host's", async () => {
  const before = await zones.northbound();
  const guest = await Workspace.create("", zones.config, "guest");
  await workspace.write(`${beside("a", 1, at("172.18.1.1"))}\n${beside("b", 2, at("172.18.2.1"), shared(2))}`);
  await workspace.up();
  const refused = async (program: string) => {
    await guest.write(program);
    const { code, stdout } = await guest.run("up", "--yes", "--skip-preview", "--stack", "dev");
    expect(code).not.toBe(0);
    return stdout.replaceAll(/[0-9a-f-]{36}/g, "UUID");
  };
  const holder = (name: string) => `is held by Logical_Router_Port "rtoe-GR_${name}_node1" (UUID) of urn:pulumi:dev::trial::`;

  expect(await refused(beside("c", 3, at("172.18.1.1")))).toContain(`external.addresses[0]: 172.18.1.1 on physical network "physnet" ${holder("a")}`);
  const mac = "0a:58:ac:12:01:01";
  expect(await refused(beside("c", 3, at("172.18.3.1", { mac })))).toContain(`external.mac: ${mac} on physical network "physnet" ${holder("a")}`);
  expect(await refused(beside("c", 3, at("172.18.2.1")))).toContain(`external.addresses[0]: 172.18.2.1 on physical network "physnet" ${holder("b")}`);
  expect(await refused(beside("c", 3, at("172.18.1.1"), shared(3)))).toContain(holder("a"));

  await guest.write(`${beside("c", 3, at("172.18.1.1", { vlan: 7 }))}\n${beside("d", 4, at("172.18.2.1"), shared(4))}`);
  await guest.up();
  const egress = (zone: string, address: string) => `
    new ovn.EgressAddress("egress", {
      zone: "${zone}", gatewayRouter: "GR_c_node1", gatewayRouterName: "GR_c_node1", externalSwitch: "ext_c_node1",
      address: "${address}", workloads: ["10.3.0.17", "10.3.0.18"],
    });`;
  const both = `${beside("c", 3, at("172.18.1.1", { vlan: 7 }))}\n${beside("d", 4, at("172.18.2.1"), shared(4))}`;
  expect(await refused(both + egress("node1", "172.18.1.1"))).toContain(`address: 172.18.1.1 on physical network "physnet" ${holder("a")}`);
  await guest.write(both + egress("node1", "172.18.9.9"));
  await guest.up();
  await workspace.write(`${beside("a", 1, at("172.18.9.9"))}\n${beside("b", 2, at("172.18.2.1"), shared(2))}`);
  const { code, stdout } = await workspace.run("up", "--yes", "--skip-preview", "--stack", "dev");
  expect([code, stdout]).toEqual([
    expect.not.stringMatching("0"),
    expect.stringMatching(/external\.addresses\[0\]: 172\.18\.9\.9 .* is held by NAT \([0-9a-f-]{36}\) of urn:pulumi:dev::guest::/),
  ]);

  // A free address is one that its stack has given up.
  await guest.write(both);
  await guest.up();
  await workspace.up();
  await guest.must("destroy", "--yes", "--skip-preview", "--stack", "dev");
  await workspace.must("destroy", "--yes", "--skip-preview", "--stack", "dev");
  await guest[Symbol.asyncDispose]();
  expect(difference(before, await zones.northbound())).toEqual(NO_DIFFERENCE);
});
