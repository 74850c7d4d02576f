import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const root = join(__dirname, "../../..");
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "lint-"));
  copyFileSync(join(root, ".oxlintrc.json"), join(folder, ".oxlintrc.json"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Rules that a file with this import breaks, by the linter's own JSON. */
function broken(path: string, statement: string): string[] {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${statement}\n`);
  const text = (() => {
    try {
      return execFileSync(process.execPath, [join(root, "node_modules/oxlint/bin/oxlint"), "--format=json", path], { cwd: folder }).toString();
    } catch (error) {
      return (error as { stdout: Buffer }).stdout.toString();
    }
  })();
  return (JSON.parse(text) as { diagnostics: { code: string }[] }).diagnostics.map(({ code }) => code);
}

const LAYER = ["eslint(no-restricted-imports)"];

describe("the layers", () => {
  test.each([
    ["provider/kinds/topology/a.ts", 'import "node:fs";'],
    ["provider/kinds/topology/b/a.ts", 'import { readFile } from "node:fs/promises"; void readFile;'],
    ["provider/kinds/topology/a.ts", 'import { execFile } from "child_process"; void execFile;'],
    ["provider/kinds/topology/a.ts", 'import { ensureRows } from "../../backends/rows/engine"; void ensureRows;'],
    ["provider/kinds/topology/a.ts", 'import { connect } from "@pulumi-ovn/ovsdb-client"; void connect;'],
    ["provider/kit/address/a.ts", 'import "node:os";'],
    ["provider/backends/rows/a.ts", 'import { connect } from "node:net"; void connect;'],
    ["provider/backends/rows/a.ts", 'import * as pulumi from "@pulumi/pulumi"; void pulumi;'],
    ["provider/serve/handlers/a.ts", 'import { command } from "../../cli/command"; void command;'],
    ["provider/serve/handlers/a.ts", 'import { contents } from "../pulumi/envelope"; void contents;'],
    ["provider/kit/a.ts", 'import type { Connections } from "../targets"; export type A = Connections;'],
    ["provider/targets/cluster/a.ts", 'import { ensureRows } from "../../backends/rows/engine"; void ensureRows;'],
    ["provider/backends/objects/a.ts", 'import { kinds } from "../../kinds/table"; void kinds;'],
    ["provider/kinds/vpc/a.ts", 'import { handlers } from "../../serve/handlers"; void handlers;'],
    ["provider/kinds/topology/a.ts", 'import { contents } from "../../serve/pulumi/envelope"; void contents;'],
    ["provider/index.ts", 'export { provider } from "./serve/pulumi/dynamic";'],
    ["provider/serve/pulumi/dynamic.ts", 'import { command } from "../../cli/command"; void command;'],
    ["provider/serve/pulumi/a.ts", 'import "node:net";'],
    ["provider/serve/pulumi/a.ts", 'import { rowsOf } from "../tools"; void rowsOf;'],
    ["provider/tools.ts", 'import "node:tls";'],
    ["provider/tools.ts", 'import * as pulumi from "@pulumi/pulumi"; void pulumi;'],
    ["provider/tools.ts", 'export { command } from "../cli/command";'],
    ["provider/serve/handlers/a.ts", 'import * as ovn from "pulumi-ovn"; void ovn;'],
    ["sdk/resources/a.ts", 'import { command } from "../cli/command"; void command;'],
    ["sdk/index.ts", 'export { command } from "@pulumi-ovn/cli";'],
    ["sdk/resources/a.ts", 'import "node:tls";'],
    ["sdk/index.ts", 'export { rowsOf } from "@pulumi-ovn/provider/tools";'],
    ["cli/a.ts", 'import "node:net";'],
    ["cli/a.ts", 'import * as ovn from "pulumi-ovn"; void ovn;'],
    ["cli/upgrade/a.ts", 'import { ensureRows } from "../../provider/backends/rows/engine"; void ensureRows;'],
    ["cli/stack/a.ts", 'import { rowDifferences } from "../upgrade/differences"; void rowDifferences;'],
    ["cli/stack/a.ts", 'import "node:net";'],
    ["provider/backends/rows/a.ts", 'import { rowsOf } from "../tools"; void rowsOf;'],
    ["agent/a.ts", 'import "node:dgram";'],
    ["ovsdb-client/a.ts", 'import { render } from "../provider"; void render;'],
    ["ovsdb-client/a.ts", 'import * as pulumi from "@pulumi/pulumi"; void pulumi;'],
    ["sandbox/a.ts", 'import { killGroup } from "@pulumi-ovn/ovsdb-client"; void killGroup;'],
    ["sandbox/a.ts", 'import { rowsOf } from "@pulumi-ovn/provider/tools"; void rowsOf;'],
    ["sandbox/a.ts", 'import { render } from "@pulumi-ovn/provider"; void render;'],
    ["sandbox/a.ts", 'import { didYouMean } from "../provider/kit/arguments/nearest"; void didYouMean;'],
    ["sandbox/a.ts", 'import { Connections } from "@pulumi-ovn/provider/targets"; void Connections;'],
    ["sandbox/a.ts", 'import { command } from "../cli/command"; void command;'],
    ["sandbox/a.ts", 'import * as ovn from "pulumi-ovn"; void ovn;'],
    ["sandbox/lifecycle/a.ts", 'import { rowsOf } from "@pulumi-ovn/provider/tools"; void rowsOf;'],
    ["sandbox/kit/a.ts", 'import { findOnPath } from "../tools/path"; void findOnPath;'],
    ["sandbox/tools/a.ts", 'import type { Layout } from "../plan/layout"; export type A = Layout;'],
    ["sandbox/plan/a.ts", 'import { startCentral } from "../servers/central"; void startCentral;'],
    ["sandbox/plan/a.ts", 'import { readFile } from "node:fs/promises"; void readFile;'],
    ["sandbox/servers/a.ts", 'import { up } from "../lifecycle/up"; void up;'],
    ["sandbox/lifecycle/a.ts", 'import { Uml } from "../guest/uml"; void Uml;'],
    ["sandbox/guest/a.ts", 'import { prove } from "../examples/proof"; void prove;'],
    ["sandbox/examples/a.ts", 'import { pulumi } from "../commands/stack"; void pulumi;'],
    ["bench/stacks/a.ts", 'import { fill } from "../rows/rows"; void fill;'],
    ["test/unit/rows/a.test.ts", 'import { ensureRows } from "../../../provider/backends/rows/engine"; void ensureRows;'],
    ["test/support/a.ts", 'import { up } from "../../sandbox"; void up;'],
    ["provider/backends/rows/a.ts", 'import { rowsOf } from "../testing"; void rowsOf;'],
  ])("%s may not: %s", (path, statement) => expect(broken(path, statement)).toEqual(LAYER));

  test.each([
    ["provider/kinds/topology/a.ts", 'import type { WireRow } from "@pulumi-ovn/ovsdb-client"; export type Row = WireRow;'],
    ["provider/kinds/topology/a.ts", 'import { row } from "../../backends/rows/set"; void row;'],
    ["provider/kinds/topology/a.ts", 'import { createHash } from "node:crypto"; void createHash;'],
    ["provider/serve/pulumi/dynamic.ts", 'import * as pulumi from "@pulumi/pulumi"; void pulumi;'],
    ["provider/tools.ts", 'export { contents } from "./serve/pulumi/envelope";'],
    ["provider/backends/rows/engine.ts", 'import { OvsdbError } from "@pulumi-ovn/ovsdb-client"; void OvsdbError;'],
    ["sdk/resources/a.ts", 'import * as pulumi from "@pulumi/pulumi"; void pulumi;'],
    ["ovsdb-client/transport/a.ts", 'import { connect } from "node:net"; void connect;'],
    ["cli/a.ts", 'import { rowsOf } from "@pulumi-ovn/provider/tools"; void rowsOf;'],
    ["cli/upgrade/a.ts", 'import { Engine } from "../stack/engine"; void Engine;'],
    ["cli/stack/a.ts", 'import { CommandError } from "../command"; void CommandError;'],
    ["cli/upgrade/a.ts", 'import type { Tools } from "./tools"; export type A = Tools;'],
    ["sandbox/a.ts", 'import { connect } from "node:net"; void connect;'],
    ["sandbox/a.ts", 'import { didYouMean } from "@pulumi-ovn/provider/nearest"; void didYouMean;'],
    ["sandbox/commands/a.ts", 'import { prove } from "../examples/proof"; void prove;'],
    ["bench/agent/peer/a.ts", 'import { median } from "../../kit/measure"; void median;'],
    ["test/unit/rows/a.test.ts", 'import { plan } from "@pulumi-ovn/provider/testing"; void plan;'],
    ["test/unit/rows/a.test.ts", 'import { row } from "../../support/rows-lab"; void row;'],
  ])("%s may: %s", (path, statement) => expect(broken(path, statement)).toEqual([]));
});

test("unused, shadowed and focused code is reported", () => {
  expect(broken("test/a.test.ts", 'import { a } from "./a";\ntest.only("x", () => expect(1).toBe(1));')).toEqual([
    "eslint(no-unused-vars)",
    "jest(no-focused-tests)",
  ]);
});
