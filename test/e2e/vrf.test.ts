import { expandLayer2Network } from "@pulumi-ovn/provider";
import { Uml, type Workload } from "@pulumi-ovn/sandbox";
import { quote, until } from "@pulumi-ovn/sandbox/testing";
import { agentCommand, becomes, FabricView } from "../support/bgp-fabric";
import { GuestZone, type RowWrite } from "../support/guest-zone";
import { runScript } from "../support/run-script";
import { setsOf } from "../support/live-network";
import { enslaved, fabricVrf, hostLines, layWires, LITES, liteNetwork, SHARED, upstreamLines, withdrawalLines } from "../support/vrf-lite";

/**
 * Milliseconds: in a guest on a busy machine a second of work takes a minute. The guest has no precedence over other tests, so FRR may
 * need longer to answer than the agent's commands wait. The agent then runs the commands again.
 */
const PATIENCE = 600_000;
/** Milliseconds between two looks. A look takes the guest's only processor from the programs that it observes. */
const PAUSE = 500;
const VRF = "bgp-vrf";
const OWNER = "urn:pulumi:dev::net::pulumi-nodejs:dynamic/ovn:BgpExposure::exposure";

/** On the provider network, whose gateways are unused addresses, and on a tenant's. */
const p1: Workload = {
  name: "p1",
  host: "node1",
  mac: "0a:00:00:00:05:11",
  addresses: ["198.51.100.11/24", "2001:db8:5::11/64"],
  gateways: ["198.51.100.1", "2001:db8:5::1"],
};
const [t1, t2] = [1, 2].map(
  (n): Workload => ({
    name: `t${n}`,
    host: "node1",
    mac: `0a:00:00:00:01:1${n}`,
    addresses: [`10.1.0.1${n}/24`, `2001:db8:1::1${n}/64`],
    gateways: ["10.1.0.1", "2001:db8:1::1"],
  }),
) as [Workload, Workload];
const port = (network: string, { name, mac, addresses = [] }: Workload) =>
  `-- lsp-add ${network} ${name} -- lsp-set-addresses ${name} "${mac} ${addresses.map((address) => address.split("/")[0]).join(" ")}"`;

const NETWORKS = `ovn-nbctl --wait=hv -- ls-add prov -- lsp-add prov ln -- lsp-set-type ln localnet -- lsp-set-options ln network_name=physnet -- lsp-set-addresses ln unknown \
  -- ls-add tenant -- lr-add r1 \
  -- lrp-add r1 r1-prov 0a:00:00:00:05:02 198.51.100.2/24 2001:db8:5::2/64 -- lsp-add prov prov-r1 -- lsp-set-type prov-r1 router -- lsp-set-options prov-r1 router-port=r1-prov nat-addresses=router -- lsp-set-addresses prov-r1 router \
  -- lrp-set-gateway-chassis r1-prov node1 20 -- lr-route-add r1 0.0.0.0/0 198.51.100.1 -- lr-route-add r1 ::/0 2001:db8:5::1 \
  -- lrp-add r1 r1-tenant 0a:00:00:00:01:01 10.1.0.1/24 2001:db8:1::1/64 -- lsp-add tenant tenant-r1 -- lsp-set-type tenant-r1 router -- lsp-set-options tenant-r1 router-port=r1-tenant -- lsp-set-addresses tenant-r1 router \
  ${port("prov", p1)} ${port("tenant", t1)} ${port("tenant", t2)} -- lr-nat-add r1 dnat_and_snat 198.51.100.21 10.1.0.11 t1 0a:00:00:00:05:21`;

const P1 = ["198.51.100.11/32", "2001:db8:5::11/128"];
const ROUTER = ["198.51.100.2/32", "2001:db8:5::2/128"];
const TENANTS = ["10.1.0.11/32", "10.1.0.12/32", "2001:db8:1::11/128", "2001:db8:1::12/128"];
const ALL = { node1: [...P1, "198.51.100.21/32", ...ROUTER, ...TENANTS] };
/** t1's own IPv4 address is translated on its way back. */
const PINGED = ["198.51.100.11", "2001:db8:5::11", "198.51.100.21", "198.51.100.2", "10.1.0.12", "2001:db8:1::11", "2001:db8:1::12"];

/** The kernels of many machines have no VRF devices; the guest's kernel has. */
describe("on a kernel with VRF devices", () => {
  let guest: Uml;
  let sandbox: GuestZone;
  let fabric: FabricView;
  beforeAll(async () => {
    guest = await Uml.boot();
    sandbox = await GuestZone.up(guest, { name: "vrf", hosts: 1, fabric: true, workloads: [p1, t1, t2, ...LITES.map(({ workload }) => workload)] });
    fabric = new FabricView(sandbox, PATIENCE, PAUSE);
  }, 1_500_000);
  afterAll(() => guest?.[Symbol.asyncDispose](), 120_000);

  const run = (script: string, place = "node1") => runScript(sandbox, place, script);

  /** VRF devices that are up, each with its table. */
  async function devices(): Promise<string[]> {
    const links = JSON.parse(await run("ip -json -details link show type vrf up")) as { ifname?: string; linkinfo?: { info_data: { table: number } } }[];
    return links.flatMap(({ ifname, linkinfo }) => (ifname === undefined ? [] : [`${ifname} ${linkinfo!.info_data.table}`])).sort();
  }

  describe("the agent with --vrf", () => {
    const agent = () => [...agentCommand(sandbox.endpoint("db")), "--vrf", VRF];
    const at = (file: string) => quote(`${sandbox.folder}/node1/${file}`);
    /** Lines of bgpd about the VRF, without its header. */
    const instance = () =>
      run("vtysh -d bgpd -c 'show running-config' | grep -e vrf -e 'redistribute kernel' | grep -v -x -e 'vrf .*' -e exit-vrf | sed 's/^ *//' | sort");
    beforeAll(async () => {
      await run(NETWORKS);
      await sandbox.write({
        owner: OWNER,
        set: await sandbox.exposure({ gateways: ["2001:db8:5::1"], providerPorts: true, floatingIPs: true, tenantNetworks: "host" }),
      });
      await run(`sh -c 'echo $$ > "$0"; exec "$@"' ${at("agent.pid")} ${agent().map(quote).join(" ")} > ${at("agent.log")} 2>&1 < /dev/null &`);
    }, 1_500_000);

    test("addresses announced from its VRF answer from the fabric, in both families", async () => {
      await fabric.announced("all", ALL);
      expect(await devices()).toEqual([`${VRF} 1200`]);
      expect((await instance()).split("\n")).toEqual([
        "import vrf bgp-vrf",
        "import vrf bgp-vrf",
        "redistribute kernel route-map pulumi-ovn-agent",
        "redistribute kernel route-map pulumi-ovn-agent",
        "router bgp 64513 vrf bgp-vrf",
      ]);
      await fabric.reaches("ext", ...PINGED);
      await fabric.healthy(ALL);
    }, 1_500_000);

    test("repairs flushed routes", async () => {
      const held = await fabric.held("node1");
      await run("ip route flush table 1200; ip -6 route flush table 1200");
      await becomes("flushed", () => fabric.held("node1"), held, PATIENCE, PAUSE);
      await fabric.announced("flushed", ALL);
      await fabric.reaches("ext", ...PINGED);
    }, 1_500_000);

    test("deleted addresses are withdrawn, and --withdraw leaves nothing", async () => {
      await run("ovn-nbctl --wait=hv lsp-del p1 -- lr-nat-del r1 dnat_and_snat 198.51.100.21 -- lsp-del t2");
      await fabric.announced("deleted", { node1: [...ROUTER, ...TENANTS.filter((prefix) => !/12\//.test(prefix))] });
      await fabric.unreachable("ext", "198.51.100.11", "2001:db8:5::11", "198.51.100.21", "10.1.0.12", "2001:db8:1::12");
      await fabric.reaches("ext", "10.1.0.11", "2001:db8:1::11");
      await run(`kill "$(cat ${at("agent.pid")})"; while kill -0 "$(cat ${at("agent.pid")})" 2> /dev/null; do sleep 0.1; done`);
      // FRR may answer too late here; then the command reports it.
      await until("--withdraw", PATIENCE, async () => (await sandbox.exec("node1", [...agent(), "--withdraw"])).code === 0);
      await fabric.announced("withdrawn", {});
      expect([await fabric.held("node1"), await devices(), await instance()]).toEqual(["", [], ""]);
    }, 1_500_000);
  });

  describe("two networks with VRFs of their own, subnets in common, and a prefix that the fabric announces to both", () => {
    const [blue, red] = LITES;
    const writes = LITES.flatMap((lite): RowWrite[] =>
      [...setsOf(expandLayer2Network(liteNetwork(lite)).zones["node1"]!)].map(([resource, set]) => ({
        owner: `urn:pulumi:dev::net::${resource}::${lite.name}`,
        set,
      })),
    );
    const vtysh = (place: string, lines: readonly string[]) =>
      run(`vtysh ${["configure terminal", ...lines].map((line) => `-c ${quote(line)}`).join(" ")}`, place);
    beforeAll(async () => {
      await layWires(sandbox, LITES);
      await run(`ip link add ${red.name} type vrf table ${red.table}; ip link set ${red.name} up`);
      await sandbox.write(...writes);
      await becomes(
        "the VRF that ovn-controller makes",
        devices,
        LITES.map(({ name, table }) => `${name} ${table}`),
        PATIENCE,
        PAUSE,
      );
      await run(LITES.map(enslaved).join("\n"));
      await Promise.all([vtysh("ext", upstreamLines(LITES)), vtysh("node1", hostLines(LITES))]);
    }, 1_500_000);

    /** Prefixes that each network's gateway router has learned by the port, with next hops. */
    async function learned(): Promise<Record<string, string[]>> {
      const read = async (table: string, columns: string) =>
        (JSON.parse(await run(`ovn-sbctl --format=json --columns=${columns} list ${table}`)) as { data: [[string, string] | string, string, string][] }).data;
      const ports = new Map((await read("Port_Binding", "_uuid,logical_port")).map(([uuid, name]) => [uuid[1], name]));
      const routes = (await read("Learned_Route", "logical_port,ip_prefix,nexthop")).map(
        ([port, prefix, nextHop]) => [ports.get(port[1])!, `${prefix} ${nextHop}`] as const,
      );
      return Object.fromEntries([...Map.groupBy(routes, ([port]) => port)].sort().map(([port, found]) => [port, found.map(([, route]) => route).sort()]));
    }
    const routes = ({ name, number, outside }: (typeof LITES)[number], shared: readonly string[] = SHARED) => ({
      [`rtoe-GR_${name}_node1`]: [...outside, ...shared]
        .map((prefix) => `${prefix} ${prefix.includes(":") ? `fd30:0:0:${number}::1` : `172.30.${number}.1`}`)
        .sort(),
    });

    /** Each answers sooner or later. */
    const answers = (place: string, ...targets: string[]) =>
      run(
        `for target in ${targets.map(quote).join(" ")}; do
      left=100; until ping -n -q -c1 -W1 $target > /dev/null 2>&1; do left=$((left - 1)); [ $left -gt 0 ] || { echo "no answer: $target" >&2; exit 1; }; done; done`,
        place,
      );
    /** Those that answer; say it of what others answer. */
    const answering = (place: string, ...targets: string[]) =>
      run(`for target in ${targets.map(quote).join(" ")}; do if ping -n -q -c1 -W1 $target > /dev/null 2>&1; then echo "$target"; fi; done`, place);
    const into = (lite: (typeof LITES)[number], workload: Workload) => workload.addresses!.map((address) => `-I ${fabricVrf(lite)} ${address.split("/")[0]}`);

    test("each has its announcements in its own VRF, and packets of both families pass only there", async () => {
      await becomes("learned", learned, { ...routes(blue), ...routes(red) }, PATIENCE, PAUSE);
      await answers("ext", ...LITES.flatMap((lite) => into(lite, lite.workload)));
      for (const { workload, outside } of LITES) await answers(workload.name, ...outside, ...SHARED);
      expect(await answering("ext", ...into(blue, red.workload), ...into(red, blue.workload))).toBe("");
      expect([await answering(blue.workload.name, ...red.outside), await answering(red.workload.name, ...blue.outside)]).toEqual(["", ""]);
    }, 1_500_000);

    test("a withdrawal in one VRF does not affect the other", async () => {
      await vtysh("ext", withdrawalLines(blue));
      await becomes("withdrawn", learned, { ...routes(blue, []), ...routes(red) }, PATIENCE, PAUSE);
      await run("ovn-nbctl --wait=hv sync");
      expect(await answering(blue.workload.name, ...SHARED)).toBe("");
      expect(await answering(red.workload.name, ...SHARED)).toBe(SHARED.join("\n"));
    }, 1_500_000);

    test("removed networks remove learned routes and the VRF of ovn-controller", async () => {
      await sandbox.write(...writes.toReversed().map((write) => ({ ...write, gone: true })));
      await becomes("VRF devices", devices, [`${red.name} ${red.table}`], PATIENCE, PAUSE);
      await becomes("learned", learned, {}, PATIENCE, PAUSE);
      for (const table of ["Logical_Router", "Logical_Switch"])
        expect([table, await run(`ovn-nbctl --bare --columns=name list ${table} | grep -e ${blue.name} -e ${red.name} || true`)]).toEqual([table, ""]);
    }, 1_500_000);
  });
});
