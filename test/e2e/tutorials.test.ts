import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { cacheFolder, projectRoot, pulumiFolder } from "@pulumi-ovn/sandbox/testing";
import { hasShape, runPage } from "../support/tutorial";

jest.setTimeout(600_000);

let home: string;
let environment: NodeJS.ProcessEnv;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "tutorial-"));
  await writeFile(join(home, ".npmrc"), "audit=false\nfund=false\nprefer-offline=true\n");
  const { NODE_OPTIONS: _options, PULUMI_NODEJS_TRANSPILE_ONLY: _checked, ...inherited } = process.env;
  environment = {
    ...inherited,
    HOME: home,
    PATH: [await pulumiFolder(() => undefined), dirname(process.execPath), process.env["PATH"]].join(delimiter),
    PULUMI_HOME: join(home, ".pulumi"),
    PULUMI_SKIP_UPDATE_CHECK: "1",
    PULUMI_OVN_CACHE: cacheFolder(),
    PULUMI_OVN_RUN: join(home, "run"),
    npm_config_cache: process.env["npm_config_cache"] ?? join(homedir(), ".npm"),
  };
});
afterAll(async () => {
  // A page that fails leaves its sandbox running.
  const names = await readdir(join(home, "run")).catch(() => []);
  for (const name of names) await promisify(execFile)("npm", ["run", "-s", "sandbox", "--", "down", "--name", name], { cwd: projectRoot, env: environment });
  await rm(home, { recursive: true, force: true });
});

it.each([
  { page: "first-network", outputs: 8 },
  { page: "vpc", outputs: 7 },
  { page: "announcement", outputs: 4 },
])("docs/tutorial/$page.md works line by line, with the outputs that it shows", async ({ page, outputs }) => {
  const ran = await runPage(join(projectRoot, `docs/tutorial/${page}.md`), projectRoot, environment);
  const missing = ran.flatMap(({ command, shown, output }) => shown.filter((line) => !hasShape(output, line)).map((line) => ({ command, line, output })));
  expect(missing).toEqual([]);
  expect(ran.filter(({ shown }) => shown.length > 0)).toHaveLength(outputs);
});
