import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ConfigFile } from "../../../../cli/upgrade/config-file";
import { Rollout } from "../../../../cli/upgrade/rollout";
import type { Situation } from "../../../../cli/upgrade/situation";
import type { Tools } from "../../../../cli/upgrade/tools";

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rollout-"));
  path = join(folder, "Pulumi.dev.yaml");
  writeFileSync(path, "config: {}\n");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A rollout of a network that has nothing left to do. */
function rollout(file: ConfigFile, onLock: () => void) {
  const said: string[] = [];
  let released = 0;
  const lock = () => {
    onLock();
    return Promise.resolve({ held: true, release: () => Promise.resolve(void (released += 1)) });
  };
  const tools = {
    zones: { first: "node1", connections: { get: () => Promise.resolve({ lock }) } },
    reporter: { say: (text: string) => said.push(text), log: () => undefined },
    stop: { check: () => undefined },
    options: { stages: Infinity },
  } as unknown as Tools;
  const situation: Situation = {
    network: { name: "blue", settings: { upgrade: undefined, nodes: {} } } as unknown as Situation["network"],
    stages: [],
    unfinished: false,
    moves: [],
    foreign: [],
  };
  return { run: () => new Rollout(tools, situation, { before: [], after: [], changing: [] }, file).run(), said, released: () => released };
}

it("does not go on from what it has read before another one ended", async () => {
  const { run, said, released } = rollout(ConfigFile.read(folder, "dev"), () => writeFileSync(path, "config: { net:size: 1 }\n"));
  await expect(run()).rejects.toMatchObject({ code: "OVN_CONFIG", message: `${path} was changed meanwhile, so nothing was written; run again to go on` });
  expect([said, released(), readFileSync(path, "utf8")]).toEqual([[], 1, "config: { net:size: 1 }\n"]);
});

it("goes on where nobody was", async () => {
  const { run, said, released } = rollout(ConfigFile.read(folder, "dev"), () => undefined);
  await run();
  expect([said, released()]).toEqual([["network blue: no stage, 0 of 0 nodes on the transit topology; nothing is left to do"], 1]);
});
