import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { difference, NO_DIFFERENCE } from "../support/dump";
import { Example } from "@pulumi-ovn/sandbox";
import { kubernetesNetwork, plainNetwork } from "../support/live-networks";
import { compile, importInto } from "../support/pulumi-ovn";
import { Workspace } from "../support/workspace";
import { TestZones } from "../support/zones";

it("adopts networks of ovn-kubernetes and ovn-nbctl without a change, and manages them afterwards", async () => {
  await using zones = await TestZones.start(["node1", "plain"]);
  await using workspace = await Workspace.create("", zones.config);
  const empty = await zones.northbound();
  await zones.nbctl("node1", ...kubernetesNetwork());
  await zones.nbctl("plain", ...plainNetwork());
  await zones.settled();
  const before = await zones.northbound();

  const report = await importInto(workspace);
  expect(report).toContain(
    "zone node1: 44 of 45 rows imported as 1 Layer2Switch, 1 TransitRouter, 1 GatewayRouter, 1 GatewayPeer, 1 WorkloadPorts, 3 NorthboundRows\n",
  );
  expect(report).toContain("zone plain: 15 of 16 rows imported as 6 NorthboundRows\n");
  expect(await compile(workspace.folder, "--noUnusedLocals", "--noUncheckedIndexedAccess", "--exactOptionalPropertyTypes")).toMatchObject({
    code: 0,
    stdout: "",
  });
  const count = Number(/^(\d+) resources of stack dev/m.exec(report)![1]);
  expect(await workspace.changes("preview")).toEqual({ same: count + 1 });
  expect(await workspace.changes("up", "--yes", "--skip-preview")).toEqual({ same: count + 1 });
  expect(difference(before, await zones.northbound())).toEqual(NO_DIFFERENCE);

  // With a refresh the owner marks are missed, and written.
  await workspace.up("--refresh");
  const marked = difference(before, await zones.northbound());
  expect([marked.added, marked.removed]).toEqual([[], []]);
  expect(new Set(Object.values(marked.changed).map(String))).toEqual(new Set(["external_ids"]));
  expect(await workspace.changes("up", "--yes", "--skip-preview", "--refresh")).toEqual({ same: count + 1 });

  const program = join(workspace.folder, "index.ts");
  const whole = await zones.northbound();
  await writeFile(program, (await readFile(program, "utf8")).replace('nexthop: "10.0.0.254"', 'nexthop: "10.0.0.253"'));
  expect(await workspace.changes("up", "--yes", "--skip-preview")).toEqual({ update: 1, same: count });
  const changed = difference(whole, await zones.northbound());
  expect([changed.added, changed.removed, Object.values(changed.changed)]).toEqual([[], [], [["nexthop"]]]);

  await workspace.must("destroy", "--yes", "--skip-preview", "--stack", "dev");
  expect(difference(empty, await zones.northbound())).toEqual(NO_DIFFERENCE);
});

describe("the example access-control", () => {
  it("adds rules, DHCP and a load balancer to a network, and removes only them", async () => {
    await using central = await TestZones.start(["node1", "node2"]);
    const empty = await central.northbound();
    await using example = await Example.copy("examples/access-control", ["Pulumi.yaml", "tsconfig.json", "index.ts", "rules.ts"], {
      zones: central.config,
    });
    const { create } = await example.changes("up");
    expect(await example.changes("up")).toEqual({ same: create });

    expect((await central.nbctl("node2", "acl-list", "shop_db")).split("\n").map((line) => line.trim().replace(/ +/g, " "))).toEqual([
      "to-lport 1001 (outport == @shop_db && ip4 && ip4.src == $shop_web && tcp.dst == 5432) allow-related",
      "to-lport 1000 (outport == @shop_db && ip4) drop",
    ]);
    expect(await central.nbctl("node1", "--bare", "--columns=ports", "list", "port_group", "shop_web")).toBe(
      await central.nbctl("node1", "get", "logical_switch_port", "web1", "_uuid"),
    );
    expect(await central.nbctl("node1", "get", "logical_switch_port", "web1", "dhcpv4_options")).toBe(
      await central.nbctl("node1", "--bare", "--columns=_uuid", "list", "dhcp_options"),
    );
    expect(await central.nbctl("node2", "ls-lb-list", "shop_ovn_layer2_switch")).toMatch(
      / shop-web +tcp +10\.80\.255\.1:80 +10\.80\.0\.11:80,10\.80\.0\.12:80$/,
    );

    expect(await example.changes("destroy")).toEqual({ delete: create });
    await central.settled();
    expect(difference(empty, await central.northbound())).toEqual(NO_DIFFERENCE);
  });
});
