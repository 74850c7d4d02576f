import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BgpExposureArgs, Rendered } from "@pulumi-ovn/provider";
import { ensureRows, removeRows } from "@pulumi-ovn/provider/rows";
import { Connections } from "@pulumi-ovn/provider/targets";
import { bgpExposure } from "@pulumi-ovn/provider/testing";
import { until } from "@pulumi-ovn/sandbox/testing";
import type { Sandbox } from "@pulumi-ovn/sandbox";
import { prefixesIn, SHOW_TABLES } from "../support/bgp-tables";
import { commandLine } from "../support/command-line";
import { liveSandbox } from "../support/live-sandbox";
import { runScript } from "../support/run-script";

const TABLE = 1201;
const OWNER = "urn:pulumi:dev::net::pulumi-nodejs:dynamic/ovn:BgpExposure::exposure";

let sandbox: Sandbox;
let targets: Connections;
liveSandbox({ name: "bgp-exposure", hosts: 1, frr: true, workloads: [] }, async (live) => {
  sandbox = live;
  targets = new Connections(sandbox.zones);
  // Rows of another writer: a gateway router with a floating IP, a load balancer and a tenant network.
  await run(
    "node1",
    `ovn-nbctl \
    -- lr-add gr -- set Logical_Router gr options:chassis=node1 -- ls-add ext -- ls-add tenant \
    -- lrp-add gr up 0a:00:00:00:00:01 172.18.0.11/24 fc00:f853:ccd:e793::b/64 -- lsp-add ext to-up -- lsp-set-type to-up router -- lsp-set-options to-up router-port=up -- lsp-set-addresses to-up router \
    -- lsp-add ext outside -- lsp-set-type outside localnet -- lsp-set-options outside network_name=physnet -- lsp-set-addresses outside unknown \
    -- lrp-add gr down 0a:00:00:00:00:02 10.1.0.1/24 2001:db8:1::1/64 -- lsp-add tenant to-down -- lsp-set-type to-down router -- lsp-set-options to-down router-port=down -- lsp-set-addresses to-down router \
    -- lr-nat-add gr dnat_and_snat 198.51.100.5 10.1.0.5 -- lb-add lb 198.51.100.80:80 10.1.0.5:80 -- lr-lb-add gr lb
  ovn-nbctl --wait=hv sync`,
  );
  // The host's daemon announces what is in the table.
  await vtysh(
    "node1",
    "router bgp 64513",
    "address-family ipv4 unicast",
    `redistribute table-direct ${TABLE}`,
    "exit",
    "address-family ipv6 unicast",
    `redistribute table-direct ${TABLE}`,
  );
});
afterAll(() => targets?.close());

const run = (place: string, script: string) => runScript(sandbox, place, script);

async function vtysh(place: string, ...lines: string[]): Promise<void> {
  const { code, stdout, stderr } = await sandbox.exec(place, ["vtysh", ...["configure terminal", ...lines].flatMap((line) => ["-c", line])]);
  if (code !== 0) throw new Error(`${place}: ${stdout}${stderr}`);
}

let written: Rendered | undefined;
/** Writes an exposure as its resource does; undefined: deletes it. Returns the prefixes that the chassis should announce. */
async function expose(change?: Partial<BgpExposureArgs>): Promise<string[]> {
  const target = { client: await targets.get("node1", "OVN_Northbound"), owner: OWNER };
  const previous = written?.set;
  if (change === undefined) {
    await removeRows(target, previous!);
    written = undefined;
    return [];
  }
  const spec = bgpExposure.schema.parse({ zone: "node1", mode: "ovn", routers: { gr: { table: TABLE } }, ...change });
  written = bgpExposure.render(spec, await bgpExposure.observe!(spec, { targets }));
  await ensureRows(target, written.set, { previous });
  return (written.outputs!["announced"] as Record<string, string[]>)["node1"]!;
}

const long = (prefix: string) => (prefix.includes("/") ? prefix : `${prefix}/${prefix.includes(":") ? 128 : 32}`);
/** Destinations of the table in the kernel, of both families. */
async function kernel(): Promise<string[]> {
  const text = await run("node1", `(ip -j route show table ${TABLE}; ip -j -6 route show table ${TABLE}) 2> /dev/null || true`);
  return text
    .split("\n")
    .filter(Boolean)
    .flatMap((line) => (JSON.parse(line) as { dst: string }[]).map(({ dst }) => long(dst)))
    .sort();
}
/** Prefixes that the upstream router has learned from the host. */
const upstream = async (): Promise<string[]> => prefixesIn(await run("ext", SHOW_TABLES));
const same = (left: readonly string[], right: readonly string[]) => JSON.stringify(left) === JSON.stringify(right);

/** Kernel and upstream router have exactly these prefixes. */
async function announced(said: readonly string[]): Promise<void> {
  const all = said.toSorted();
  await until("the kernel's table", 60_000, async () => same(await kernel(), all)).catch(async () => expect(await kernel()).toEqual(all));
  await until("the upstream router's routes", 60_000, async () => same(await upstream(), all)).catch(async () => expect(await upstream()).toEqual(all));
}

/** Rows of `pulumi-ovn status` about the chassis, with the exposure's state as written, or with these prefixes as announced. */
async function status(announced?: readonly string[]): Promise<{ code: number; chassis: unknown }> {
  const folder = mkdtempSync(join(tmpdir(), "bgp-status-"));
  try {
    const outputs = { zone: "node1", mode: "ovn", ...written!.outputs, ...(announced && { announced: { node1: announced } }) };
    writeFileSync(
      join(folder, "state.json"),
      JSON.stringify({ version: 3, deployment: { resources: [{ urn: OWNER, type: "pulumi-nodejs:dynamic/ovn:BgpExposure", outputs }] } }),
    );
    writeFileSync(join(folder, "targets.yaml"), JSON.stringify(sandbox.targets));
    process.env["PULUMI_OVN_TARGETS"] = join(folder, "targets.yaml");
    const { code, stdout } = await commandLine("status", "--json", "--state", join(folder, "state.json"), "--cwd", folder);
    return { code, chassis: (JSON.parse(stdout) as { exposures: [{ chassis: [unknown] }] }).exposures[0].chassis[0] };
  } finally {
    delete process.env["PULUMI_OVN_TARGETS"];
    rmSync(folder, { recursive: true });
  }
}
const route = (prefix: string, state: string) => ({ prefix, state });

test("reported announcements are in the chassis's table and at the upstream router; deleted ones are in neither", async () => {
  const some = await expose({ floatingIPs: true, tenantNetworks: "subnet" });
  expect(some).toEqual(["10.1.0.0/24", "198.51.100.5/32", "2001:db8:1::/64"]);
  await announced(some);
  expect(await status()).toEqual({
    code: 0,
    chassis: { chassis: "node1", tables: [TABLE], reached: true, problems: [], routes: some.map((prefix) => route(prefix, "announced")) },
  });
  expect(await status([...some.slice(1), "198.51.100.99/32"])).toMatchObject({
    code: 1,
    chassis: {
      routes: [
        route("10.1.0.0/24", "unexpected"),
        route("198.51.100.5/32", "announced"),
        route("198.51.100.99/32", "missing"),
        route("2001:db8:1::/64", "announced"),
      ],
    },
  });
  // An operator's mistake: only one family of the table is announced.
  await vtysh("node1", "router bgp 64513", "address-family ipv6 unicast", `no redistribute table-direct ${TABLE}`);
  await until("its withdrawal", 60_000, async () => same(await upstream(), ["10.1.0.0/24", "198.51.100.5/32"]));
  expect(await status()).toMatchObject({
    code: 1,
    chassis: { routes: [route("10.1.0.0/24", "announced"), route("198.51.100.5/32", "announced"), route("2001:db8:1::/64", "not-originated")] },
  });
  await vtysh("node1", "router bgp 64513", "address-family ipv6 unicast", `redistribute table-direct ${TABLE}`);

  const more = await expose({ floatingIPs: true, loadBalancers: true, exclude: { networks: ["tenant"] } });
  expect(more).toEqual(["198.51.100.5/32", "198.51.100.80/32"]);
  await announced(more);

  await run("node1", "ovn-nbctl --wait=hv lr-nat-add gr dnat_and_snat 198.51.100.6 10.1.0.6");
  await announced(await expose({ floatingIPs: true, loadBalancers: true, exclude: { networks: ["tenant"] } }));
  expect(await upstream()).toEqual(["198.51.100.5/32", "198.51.100.6/32", "198.51.100.80/32"]);

  await announced(await expose());
  expect(
    await run(
      "node1",
      "ovn-nbctl get Logical_Router gr options; ovn-nbctl get Logical_Router_Port up options; ovn-nbctl get Logical_Router gr external_ids; ovn-sbctl --bare --columns=_uuid list Advertised_Route",
    ),
  ).toBe("{chassis=node1}\n{}\n{}");
});
