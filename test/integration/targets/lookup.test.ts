import { lookupPort, lookupRouter, lookupSwitch } from "@pulumi-ovn/provider/lookup";
import { Connections } from "@pulumi-ovn/provider/targets";
import { freePort } from "../../support/ovsdb-server";
import { TestZones } from "../../support/zones";

let zones: TestZones;
let targets: Connections;
let dead: number;
const nbctl = (...args: string[]) => zones.nbctl("node1", ...args);
const uuidOf = (table: string, name: string) => nbctl("--bare", "--columns=_uuid", "find", table, `name=${name}`);
const keyOf = async (table: string, condition: string) =>
  Number((await zones.centrals["node1"]!.run("ovn-sbctl", ["--bare", "--columns=tunnel_key", "find", table, condition])).stdout);

beforeAll(async () => {
  zones = await TestZones.start(["node1"]);
  dead = await freePort();
  targets = new Connections({ ...zones.config, away: { northbound: `tcp:127.0.0.1:${dead}`, timeout: 1 } } as never);
  await nbctl(
    ...["ls-add", "l2", "--", "set", "Logical_Switch", "l2", "other_config:subnet=10.0.0.0/24", "other_config:requested-tnl-key=77", "external_ids:team=net"],
    ...["--", "lsp-add", "l2", "vm1", "--", "lsp-set-addresses", "vm1", "0a:58:0a:00:00:05 10.0.0.5 fd00::5", "unknown"],
    ...[
      "--",
      "lsp-add",
      "l2",
      "dyn",
      "--",
      "lsp-set-addresses",
      "dyn",
      "0a:58:0a:00:00:09 dynamic",
      "--",
      "set",
      "Logical_Switch_Port",
      "dyn",
      "options:requested-tnl-key=33",
    ],
    ...["--", "lr-add", "r0", "--", "lrp-add", "r0", "r0-l2", "0a:58:0a:00:00:01", "10.0.0.1/24", "fd00::1/64"],
    ...[
      "--",
      "lsp-add",
      "l2",
      "l2-r0",
      "--",
      "lsp-set-type",
      "l2-r0",
      "router",
      "--",
      "lsp-set-addresses",
      "l2-r0",
      "router",
      "--",
      "lsp-set-options",
      "l2-r0",
      "router-port=r0-l2",
    ],
    ...[
      "--",
      "ls-add",
      "empty",
      "--",
      "ls-add",
      "twice",
      "--",
      "--id=@twin",
      "create",
      "Logical_Switch",
      "name=twice",
      "--",
      "lsp-add",
      "l2",
      "both",
      "--",
      "lrp-add",
      "r0",
      "both",
      "0a:58:0a:00:01:01",
      "10.0.1.1/24",
    ],
  );
  await nbctl("--wait=sb", "sync");
});
afterAll(async () => {
  await targets?.close();
  await zones?.stop();
});

it("finds a switch by its name: UUID, key, ports", async () => {
  const ports = Object.fromEntries(await Promise.all(["both", "dyn", "l2-r0", "vm1"].map(async (name) => [name, await uuidOf("Logical_Switch_Port", name)])));
  const found = {
    uuid: await uuidOf("Logical_Switch", "l2"),
    name: "l2",
    tunnelKey: 77,
    ports,
    otherConfig: { subnet: "10.0.0.0/24", "requested-tnl-key": "77" },
    externalIds: { team: "net" },
  };
  expect(await lookupSwitch(targets, { zone: "node1", name: "l2" })).toEqual(found);
  // Without a Southbound endpoint, the lookup uses the key that the row requests.
  const north = new Connections({ north: { northbound: zones.config["node1"]!.northbound } });
  expect(await lookupSwitch(north, { zone: "north", name: "l2" })).toEqual(found);
  expect(await lookupSwitch(north, { zone: "north", name: "empty" })).toMatchObject({ tunnelKey: undefined, ports: {} });
  await north.close();
  const uuid = await uuidOf("Logical_Switch", "empty");
  expect((await lookupSwitch(targets, { zone: "node1", name: "empty" })).tunnelKey).toBe(
    await keyOf("Datapath_Binding", `external_ids:logical-switch=${uuid}`),
  );
});

it("finds a router: UUID, northd's key, ports", async () => {
  const uuid = await uuidOf("Logical_Router", "r0");
  expect(await lookupRouter(targets, { zone: "node1", name: "r0" })).toEqual({
    uuid,
    name: "r0",
    tunnelKey: await keyOf("Datapath_Binding", `external_ids:logical-router=${uuid}`),
    ports: { both: await uuidOf("Logical_Router_Port", "both"), "r0-l2": await uuidOf("Logical_Router_Port", "r0-l2") },
    options: {},
    externalIds: {},
  });
});

it("finds ports of a switch and of a router", async () => {
  const on = { kind: "switch", uuid: await uuidOf("Logical_Switch", "l2"), name: "l2" };
  expect(await lookupPort(targets, { zone: "node1", name: "vm1" })).toEqual({
    uuid: await uuidOf("Logical_Switch_Port", "vm1"),
    name: "vm1",
    on,
    type: "",
    macs: ["0a:58:0a:00:00:05"],
    addresses: ["10.0.0.5", "fd00::5"],
    tunnelKey: await keyOf("Port_Binding", "logical_port=vm1"),
    options: {},
    externalIds: {},
  });
  expect(await lookupPort(targets, { zone: "node1", name: "dyn" })).toMatchObject({
    macs: ["0a:58:0a:00:00:09"],
    addresses: ["10.0.0.2"],
    tunnelKey: 33,
    options: { "requested-tnl-key": "33" },
  });
  expect(await lookupPort(targets, { zone: "node1", name: "l2-r0" })).toMatchObject({
    on,
    type: "router",
    macs: [],
    addresses: [],
    options: { "router-port": "r0-l2" },
  });
  expect(await lookupPort(targets, { zone: "node1", name: "r0-l2" })).toEqual({
    uuid: await uuidOf("Logical_Router_Port", "r0-l2"),
    name: "r0-l2",
    on: { kind: "router", uuid: await uuidOf("Logical_Router", "r0"), name: "r0" },
    type: "",
    macs: ["0a:58:0a:00:00:01"],
    addresses: ["10.0.0.1/24", "fd00::1/64"],
    tunnelKey: await keyOf("Port_Binding", "logical_port=r0-l2"),
    options: {},
    externalIds: {},
  });
});

it("reports a missing, an ambiguous and an unreachable object", async () => {
  const refused = (call: Promise<unknown>) =>
    call.then(
      () => "found",
      ({ code, message }: Error & { code: string }) => `${code} / ${message}`,
    );
  const place = `zone "node1" (${zones.config["node1"]!.northbound})`;
  const said = (call: string, text: string) => `OVN_NOT_FOUND / OVN_NOT_FOUND: ${call} in ${place}: ${text}`;
  expect(await refused(lookupSwitch(targets, { zone: "node1", name: "emtpy" }))).toBe(
    said('getSwitch "emtpy"', 'there is no Logical_Switch called "emtpy"; did you mean "empty"?'),
  );
  expect(await refused(lookupRouter(targets, { zone: "node1", name: "elsewhere" }))).toBe(
    said('getRouter "elsewhere"', 'there is no Logical_Router called "elsewhere"'),
  );
  expect(await refused(lookupPort(targets, { zone: "node1", name: "vm-1" }))).toBe(
    said('getPort "vm-1"', 'there is no port called "vm-1"; did you mean "vm1"?'),
  );
  const twins = (await uuidOf("Logical_Switch", "twice")).split(/\s+/).sort().join(", ");
  expect(await refused(lookupSwitch(targets, { zone: "node1", name: "twice" }))).toBe(
    said('getSwitch "twice"', `there are 2 of table Logical_Switch called "twice": ${twins}; rename all but one`),
  );
  const both = `${await uuidOf("Logical_Switch_Port", "both")}, ${await uuidOf("Logical_Router_Port", "both")}`;
  expect(await refused(lookupPort(targets, { zone: "node1", name: "both" }))).toBe(
    said('getPort "both"', `a switch port and a router port are called "both": ${both}; rename one`),
  );
  expect(await refused(lookupRouter(targets, { zone: "away", name: "r0" }))).toMatch(
    new RegExp(`^OVSDB_CONNECTION / OVSDB_CONNECTION: getRouter "r0" in zone "away" \\(tcp:127\\.0\\.0\\.1:${dead}\\): connect ECONNREFUSED$`),
  );
  expect(await refused(lookupRouter(targets, { zone: "nowhere", name: "r0" }))).toMatch(
    /^OVN_ZONE \/ OVN_ZONE: getRouter "r0" in zone "nowhere": zone "nowhere" is not configured/,
  );
});
