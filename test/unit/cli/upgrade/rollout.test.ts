import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ConfigFile, readUpgradeOptions as readOptions, Reporter, Rollout, type Situation, situationOf, type Tools } from "@pulumi-ovn/cli/testing";
import { settingsAfter } from "@pulumi-ovn/cli/upgrade";
import { inState, resourcesOf } from "../../../support/upgrade-stack";

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
    reporter: new Reporter(undefined, { write: (text) => said.push(text.trimEnd()) }),
    stop: { check: () => undefined },
    options: {},
  } as unknown as Tools;
  const situation: Situation = {
    network: { name: "blue", settings: { upgrade: undefined, nodes: {} } } as unknown as Situation["network"],
    stages: [],
    planned: [],
    isShared: false,
    awaited: [],
    unfinished: false,
    moves: [],
    foreign: [],
  };
  return { run: () => new Rollout(tools, situation, { before: [], after: [], changing: [] }, file).run(), said, released: () => released };
}

it("does not continue from facts that it read before another rollout ended", async () => {
  const { run, said, released } = rollout(ConfigFile.read(folder, "dev"), () => writeFileSync(path, "config: { net:size: 1 }\n"));
  await expect(run()).rejects.toMatchObject({ code: "OVN_CONFIG", message: `${path} was changed meanwhile, so nothing was written; run again to go on` });
  expect([said, released(), readFileSync(path, "utf8")]).toEqual([[], 1, "config: { net:size: 1 }\n"]);
});

it("continues without another rollout", async () => {
  const { run, said, released } = rollout(ConfigFile.read(folder, "dev"), () => undefined);
  await run();
  expect([said, released()]).toEqual([["network blue: no stage, 0 of 0 nodes on the transit topology; nothing is left to do"], 1]);
});

describe("a log that can't be written any more", () => {
  const BEGIN = { upgrade: undefined, nodes: { node1: "gateway", node2: "gateway" } } as const;

  /** A rollout with a log, over zones that agree, with an engine that does at its update of this number what a full disk does. */
  function logged(lostAt: number, more: readonly string[] = []) {
    const said: string[] = [];
    const log = join(folder, "log");
    let updates = 0;
    const options = readOptions(["--log", log, "--loaded", "--settle-seconds", "0", ...more]);
    const reporter = new Reporter(log, { write: (text) => said.push(text.trimEnd()) });
    const before = resourcesOf(inState(BEGIN));
    const file = ConfigFile.read(folder, "dev");
    const situation = situationOf({ before, after: before, changing: [] }, file, options);
    // Stage by stage, as the program follows its configuration; the first preview is the one of all nodes.
    let settings = situation.network.settings;
    const states = [situation.network.settings, ...situation.stages.map((stage) => (settings = settingsAfter(settings, stage)))];
    const previewOf = (number: number) => ({ before: resourcesOf(inState(states[number]!)), after: resourcesOf(inState(states[number + 1]!)), changing: [] });
    let previews = 0;
    const engine = {
      preview: () => Promise.resolve(previewOf(Math.max(0, previews++ - 1))),
      up: () => {
        updates++;
        if (updates === lostAt) {
          rmSync(log);
          mkdirSync(log);
        }
        return Promise.resolve({ changes: { update: 1 }, seconds: 1 });
      },
    };
    const zones = {
      first: "node1",
      connections: { get: () => Promise.resolve({ lock: () => Promise.resolve({ held: true, release: () => Promise.resolve() }) }) },
      snapshots: () => Promise.resolve([]),
      drift: () => Promise.resolve([]),
      disagreements: () => Promise.resolve([]),
      caughtUp: () => Promise.resolve([]),
    };
    const stop = { check: () => undefined, wait: () => Promise.resolve() };
    const tools = { engine, zones, reporter, stop, options } as unknown as Tools;
    const run = () => new Rollout(tools, situation, { before, after: before, changing: [] }, file).run();
    return { run, said, updates: () => updates, states, stages: situation.stages.length };
  }
  const LOST = { code: "OVN_UPGRADE_LOG", message: expect.stringContaining("no stage was left unfinished") as string };

  it("ends the rollout after the stage and its gates, before the next", async () => {
    const { run, said, updates, states } = logged(2);
    await expect(run()).rejects.toMatchObject(LOST);
    expect(updates()).toBe(2);
    expect(said.filter((line) => line.includes("gates: 2 zones caught up"))).toHaveLength(2);
    expect(said.filter((line) => line.includes("warning: can't write to --log"))).toHaveLength(1);
    expect(existsSync(join(folder, "log"))).toBe(true);
    const after = ConfigFile.read(folder, "dev");
    expect(after.has("blue")).toBe(true);
    expect(readFileSync(path, "utf8")).toContain(`upgrade: ${states[2]!.upgrade}`);
  });

  it("is reported also after the last stage", async () => {
    const whole = logged(0, ["--remains", "drop"]);
    await whole.run();
    expect(whole.updates()).toBe(whole.stages);
    writeFileSync(path, "config: {}\n");
    const { run, said, updates, stages } = logged(whole.stages, ["--remains", "drop"]);
    await expect(run()).rejects.toMatchObject(LOST);
    expect(updates()).toBe(stages);
    expect(said.at(-1)).toBe("network blue: no stage, 2 of 2 nodes on the transit topology; nothing is left to do");
  });
});
