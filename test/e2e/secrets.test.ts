import { pulumiOvn } from "../support/pulumi-ovn";
import { Workspace } from "../support/workspace";
import { TestZones } from "../support/zones";

jest.setTimeout(600_000);

const TOKEN = "hunter2-Zq8";
const MAC = "0a:58:5e:c4:e7:01";
const KEY_FILE = "/somewhere/private-key-Zq9.pem";

let zones: TestZones;
let workspace: Workspace;
beforeAll(async () => {
  zones = await TestZones.start(["node1"]);
  const config = { node1: { ...zones.config.node1, tls: { privateKey: KEY_FILE } } };
  workspace = await Workspace.create(program("203.203.0.1/16"), config);
});
afterAll(async () => {
  await workspace?.[Symbol.asyncDispose]();
  await zones?.stop();
});

const program = (gateway: string, token = TOKEN) => `
const sw = new ovn.Layer2Switch("sw", { zone: "node1", name: "l2", subnets: ["203.203.0.0/16"], tunnelKey: 5, externalIds: { token: pulumi.secret("${token}") } });
const tr = new ovn.TransitRouter("tr", { zone: "node1", name: "tr", tunnelKey: 6, switch: sw.uuid, switchName: "l2", gateway: { addresses: ["${gateway}"], mac: pulumi.secret("${MAC}") } });
exports.mac = tr.gatewayMac;
`;

it("writes secrets to the database, and nowhere else", async () => {
  const shown = [await workspace.must("preview", "--diff", "--stack", "dev"), await workspace.up()];
  expect(await zones.nbctl("node1", "get", "logical_switch", "l2", "external_ids:token")).toBe(TOKEN);
  expect(await zones.nbctl("node1", "get", "logical_router_port", "trtos-l2", "mac")).toBe(`"${MAC}"`);

  // Drift of a secret, and a changed secret, are seen without being shown.
  await zones.nbctl("node1", "set", "logical_switch", "l2", "external_ids:token=leak-Zq7");
  const drift = await pulumiOvn(["drift", "--stack", "dev"], workspace.environment, workspace.folder);
  expect([drift.code, drift.stderr]).toEqual([2, ""]);
  expect(drift.stdout).toContain("trial/dev: 1 difference in 1 of 2 resources\n\nzone node1\n  Layer2Switch sw\n  ~ [secret]: differs\n");
  shown.push(drift.stdout);
  // Without the passphrase, the resources are named.
  const locked = await pulumiOvn(["drift", "--stack", "dev"], { ...workspace.environment, PULUMI_CONFIG_PASSPHRASE: "wrong" }, workspace.folder);
  expect(locked).toMatchObject({
    code: 0,
    stderr: "",
    stdout: expect.stringContaining("- Layer2Switch sw: not compared, because its secret arguments are encrypted") as string,
  });
  shown.push(await workspace.must("refresh", "--diff", "--yes", "--skip-preview", "--stack", "dev"));
  await workspace.write(program("203.203.0.1/16", `${TOKEN}-new`));
  shown.push(await workspace.must("up", "--yes", "--diff", "--stack", "dev"));
  expect(await zones.nbctl("node1", "get", "logical_switch", "l2", "external_ids:token")).toBe(`${TOKEN}-new`);
  expect(shown[4]).toMatch(/~ 1 updated/);

  // Arguments that are refused: the same text as always, without what is secret.
  await workspace.write(program("203.203.0.0/16"));
  const refused = await workspace.run("preview", "--stack", "dev");
  expect(refused.code).not.toBe(0);
  expect(refused.stdout + refused.stderr).toContain("gateway.addresses[0]");
  shown.push(refused.stdout, refused.stderr, await workspace.stateText());

  for (const secret of [TOKEN, MAC, "leak-Zq7", KEY_FILE]) for (const text of shown) expect(text).not.toContain(secret);
  // The rest of the state is readable, so the search above was in the real state.
  expect(shown.at(-1)).toContain("urn:pulumi:dev::trial::pulumi-nodejs:dynamic/ovn:TransitRouter::tr");
  expect(shown[0]).toMatch(/token: \[secret\]/);
  // Values that are not secret are shown next to the secrets.
  expect(shown[0]).toContain('external_ids:token=\\"[secret]\\"');
  expect(shown[0]).toContain("other_config:subnet=203.203.0.0/16");
});
