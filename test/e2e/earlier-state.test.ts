import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Workspace } from "../support/workspace";

const saved = join(__dirname, "states/networks-0.2.0");

it("previews a stack of release 0.2.0 without a change", async () => {
  // A preview needs the names of the zones. Nothing listens at these endpoints.
  const zone = (port: number) => ({ northbound: `tcp:127.0.0.1:${port}`, southbound: `tcp:127.0.0.1:${port + 1}` });
  await using workspace = await Workspace.create(await readFile(`${saved}.js`, "utf8"), { node1: zone(1), node2: zone(3) });
  await workspace.must("stack", "import", "--stack", "dev", "--file", `${saved}.json`);
  const { resources } = await workspace.state();
  expect(await workspace.changes("preview")).toEqual({ same: 35 });
  expect(resources).toHaveLength(36); // 35 and the default provider
});
