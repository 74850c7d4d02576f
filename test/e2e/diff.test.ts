import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { projectRoot } from "@pulumi-ovn/sandbox/testing";
import { difference } from "../support/dump";
import { pulumiOvn } from "../support/pulumi-ovn";
import { Workspace } from "../support/workspace";
import { TestZones } from "../support/zones";

jest.setTimeout(600_000);

const NODES = 10;
const program = (nodes: number, mac = "") => `
const keys = new ovn.TunnelKeyPool("keys", { owners: { blue: 2 } });
const nodes = {}, workloads = {};
for (let i = 1; i <= ${nodes}; i++) {
  nodes["node" + i] = { id: i + 1, external: { nextHops: ["172.18.0.1"], addresses: ["172.18.0." + (10 + i) + "/24"] } };
  workloads["vm" + i] = { node: "node" + i, addresses: ["203.203.0." + (20 + i)] };
}
${mac && `workloads.vm1.mac = "${mac}";`}
new ovn.Layer2Network("blue", { name: "blue", subnets: ["203.203.0.0/16"], nodes, workloads, tunnelKeys: keys.of("blue"), waitFor: "none" });
`;

let zones: TestZones;
let workspace: Workspace;
beforeAll(async () => {
  zones = await TestZones.start(
    Array.from({ length: NODES + 1 }, (_, index) => `node${index + 1}`),
    { northd: false },
  );
  workspace = await Workspace.create(program(NODES), zones.config);
});
afterAll(async () => {
  await workspace?.[Symbol.asyncDispose]();
  await zones?.stop();
});

interface Row {
  readonly operation: string;
  readonly table: string;
  readonly row: string;
  readonly columns: readonly { readonly column: string; readonly after: string | null }[];
}
interface Read {
  readonly counts: Record<string, number>;
  readonly diagnostics: readonly { readonly message: string }[];
  readonly zones: readonly { readonly zone: string; readonly resources: readonly { readonly rows: readonly Row[] }[] }[];
}

/** Identifies a row in its table. Most rows have a name. */
function identity(table: string, column: (name: string) => string | undefined): string {
  if (table === "Logical_Router_Static_Route") return `${column("ip_prefix")} ${column("nexthop")}`;
  if (table === "Static_MAC_Binding") return `${column("logical_port")} ${column("ip")}`;
  if (table === "NAT") return `${column("logical_ip")} ${column("external_ip")}`;
  return column("name")!;
}

const preview = async (...args: string[]): Promise<string> => {
  const file = join(workspace.folder, "preview.json");
  await writeFile(file, await workspace.must("preview", "--json", "--stack", "dev", ...args));
  return file;
};
const diff = async (...args: string[]) => {
  const { code, stdout, stderr } = await pulumiOvn(["diff", ...args]);
  expect([code, stderr]).toEqual([0, ""]);
  return stdout;
};

it("names only the rows that an additional node of a network of ten adds, in a comment", async () => {
  await workspace.up();
  await workspace.write(program(NODES + 1));
  const file = await preview();
  const read = JSON.parse(await diff(file, "--json")) as Read;
  const markdown = await diff(file, "--markdown");
  expect(Buffer.byteLength(markdown)).toBeLessThan(12_000);
  // Another preview, in which the engine took its steps in another order, and by standard input.
  const again = await preview();
  const { stdout } = await promisify(execFile)("sh", [
    "-c",
    `"${process.execPath}" "${join(projectRoot, "sdk/bin/pulumi-ovn.js")}" diff - --markdown <"${again}"`,
  ]);
  expect(stdout).toBe(markdown);

  const state = join(workspace.folder, "state.json");
  await writeFile(state, await workspace.must("stack", "export", "--stack", "dev"));
  const drawn = (await pulumiOvn(["picture", "--state", state])).stdout;
  for (const text of ["GR_blue_node1", "172.18.0.11/24", "9 zones like node1", "switch of blue", "subnet 203.203.0.0/16", "vm1", "203.203.0.21"])
    expect(drawn).toContain(`>${text}<`);
  const change = (await pulumiOvn(["picture", "--preview", await preview("--show-sames"), "--mermaid"])).stdout.replaceAll(/[\u2060\ufeff]/g, "");
  const marked = [...change.matchAll(/"([+−~→] [^"]*?)(?:<br\/>[^"]*)?"/g)].map(([, title]) => title);
  expect(marked.sort()).toEqual(["+ GR_blue_node11", "+ vm11", "+ zone node11"]);

  const before = await zones.northbound();
  await workspace.up();
  const after = await zones.northbound();
  const { added, removed, changed } = difference(before, after);
  const made = added.map((key) => {
    const [zone, table] = key.split(" ") as [string, string];
    return `${zone} ${table} ${identity(table, (name) => JSON.parse(after.get(key)![name]!) as string)}`;
  });
  const shown = read.zones.flatMap(({ zone, resources }) =>
    resources.flatMap(({ rows }) =>
      rows.map(({ operation, table, row, columns }) => {
        expect(operation).toBe("add");
        return `${zone} ${table} ${identity(table, (name) => (name === "name" ? row : (columns.find(({ column }) => column === name)?.after ?? undefined)))}`;
      }),
    ),
  );
  expect(shown.sort()).toEqual(made.sort());
  expect(removed).toEqual([]);
  expect(read.counts.added).toBe(added.length);
  expect(markdown).toContain(`### \`trial/dev\`: 11 zones, ${added.length} rows added; 1 other resource\n`);
  for (const line of made) expect(markdown).toContain(line.split(" ")[2]!);
  // Sets of parents go with their members.
  const columns = new Set(Object.values(changed).flat());
  expect([...columns].filter((column) => !["ports", "static_routes"].includes(column))).toEqual([]);
});

it("warns of effects on workloads at the top", async () => {
  await workspace.write(program(NODES + 1, "0a:58:00:00:00:77"));
  const file = await preview();
  const text = await diff(file);
  expect(text).toContain("trial/dev: 11 zones, 11 rows changed; 1 other resource\n");
  expect(text).toMatch(
    /^warning.*Logical_Switch_Port vm1: addresses changes from .*0a:58:cb:cb:00:15 203\.203\.0\.21.* to .*0a:58:00:00:00:77 203\.203\.0\.21.*\[OVN_WARN_PORT_ADDRESS\]$/m,
  );
  // Eleven zones have the port.
  expect(text.match(/^warning/gm)).toHaveLength(1);
  expect((await pulumiOvn(["diff", file, "--exit-code"])).code).toBe(2);
});

it("names changed rows of unchanged lists, which --show-sames adds to the preview", async () => {
  await workspace.write(program(NODES + 1).replace("tunnelKeys:", 'externalIds: { who: "me" }, tunnelKeys:'));
  const counted = JSON.parse(await diff(await preview(), "--json")) as Read;
  const named = JSON.parse(await diff(await preview("--show-sames"), "--json")) as Read;
  // In each of the eleven zones two resources have tables that are past the number of lines.
  expect([counted.counts.uncounted, named.counts.uncounted]).toEqual([22, 0]);
  expect(
    named.zones.map(
      ({ resources }) => resources.flatMap(({ rows }) => rows).filter(({ table, row }) => table === "Logical_Switch_Port" && row === "vm1").length,
    ),
  ).toEqual(Array.from({ length: 11 }, () => 1));
});

it("names the alias of a network whose resource was renamed, once", async () => {
  await workspace.write(program(NODES + 1).replace('Layer2Network("blue"', 'Layer2Network("azure"'));
  const out = join(workspace.folder, "diff.json");
  const command = `"${process.execPath}" "${join(projectRoot, "sdk/bin/pulumi-ovn.js")}" diff --json --stack dev --cwd "${workspace.folder}" >"${out}"`;
  // Standard error is a terminal: it shows the progress, and at the end nothing.
  const { stdout: terminal } = await promisify(execFile)("script", ["-qec", command, "/dev/null"], { env: workspace.environment });
  expect(terminal).toMatch(/^\r\u001b\[Kpulumi preview: 0 s\r\u001b\[Kpulumi preview: 1 s[^]*\r\u001b\[K$/);
  const { diagnostics } = JSON.parse(await readFile(out, "utf8")) as Read;
  const message = 'recreates all rows of "blue", which is deleted; if it was renamed, set its option aliases: [{ name: "blue" }]';
  expect(diagnostics).toEqual([{ severity: "warning", resource: "azure", message }]);
});
