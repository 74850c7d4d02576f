import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { cacheFolder } from "../../sandbox/cache";
import { projectRoot, pulumiFolder } from "../../sandbox/pulumi-cli";
import { hasShape, runPage } from "../support/tutorial";

jest.setTimeout(300_000);

let home: string;
beforeAll(async () => (home = await mkdtemp(join(tmpdir(), "tutorial-"))));
afterAll(async () => rm(home, { recursive: true, force: true }));

it("docs/tutorial/first-network.md works line by line, with the outputs that it shows", async () => {
  const { NODE_OPTIONS: _options, PULUMI_NODEJS_TRANSPILE_ONLY: _checked, ...environment } = process.env;
  await writeFile(join(home, ".npmrc"), "audit=false\nfund=false\nprefer-offline=true\n");
  const ran = await runPage(join(projectRoot, "docs/tutorial/first-network.md"), projectRoot, {
    ...environment,
    HOME: home,
    PATH: [await pulumiFolder(() => undefined), dirname(process.execPath), process.env["PATH"]].join(delimiter),
    PULUMI_HOME: join(home, ".pulumi"),
    PULUMI_SKIP_UPDATE_CHECK: "1",
    PULUMI_OVN_CACHE: cacheFolder(),
    PULUMI_OVN_RUN: join(home, "run"),
    npm_config_cache: process.env["npm_config_cache"] ?? join(homedir(), ".npm"),
  });
  const missing = ran.flatMap(({ command, shown, output }) => shown.filter((line) => !hasShape(output, line)).map((line) => ({ command, line, output })));
  expect(missing).toEqual([]);
  expect(ran.filter(({ shown }) => shown.length > 0)).toHaveLength(8);
});
