import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openTarget } from "@pulumi-ovn/cli/testing";
import { APPLY_VARIABLE } from "@pulumi-ovn/provider/targets";
import { FACTS } from "../../support/apply-record";
import { FlowStack, Switches } from "../../support/switches";
import { until } from "../../support/until";

jest.setTimeout(60_000);

const switches = Switches.of({ name: "full-disk", hosts: 1, workloads: [] });

let small: string;
/** Folders in which the host makes temporary files. */
let folders: readonly string[];
let target: Awaited<ReturnType<typeof openTarget>>;
beforeAll(async () => {
  small = join(switches.sandbox.folder, "small");
  folders = [small, "/run", "/dev/shm"];
  await switches.on("node1", "mkdir", small);
  const host = switches.sandbox.targets.hosts["node1"]!;
  const targets = switches.targets({ node1: { ...host, command: [...host.command!, "env", `TMPDIR=${small}`] } });
  target = await openTarget(targets, { kind: "host", name: "node1", database: "Open_vSwitch" });
});

/** Hides folders by full ones, which only the host sees. */
const fill = () => switches.on("node1", "sh", "-ec", `for each in ${folders.join(" ")}; do mount -t tmpfs -o size=64k none $each; done`);
const free = (folder: string) => switches.on("node1", "umount", folder);
const full = () => `no space for 1 MB, which the undo needs, in ${folders.join(", ")}`;

it("refuses an apply to a host whose folders for temporary files are full", async () => {
  await fill();
  await expect(target.startTimer("00000016", 60)).rejects.toMatchObject({
    code: "OVN_APPLY_TIMER",
    message: `the process that would undo the change does not start on the database's host: ${full()}; try again, or run pulumi-ovn guard next to the target`,
  });
  const left = await switches.on("node1", "find", ...folders, "-type", "f");
  // Memory suffices.
  await free("/dev/shm");
  expect([left, await target.startTimer("00000016", 60)]).toEqual(["", "host"]);
  await free("/run");
  await free(small);
});

it.each(["command", "host"])("restores flows by the %s when the host has space again", async (place) => {
  const id = place === "host" ? "0000001a" : "0000001b";
  if (place === "command") await switches.bridge("node1", "br0", "p1");
  const stack = new FlowStack(switches, `urn:pulumi:dev::net::pulumi-nodejs:dynamic/ovn:BridgeFlows::${place}`);
  const state = async () => ({ flows: await switches.flows("node1", "br0"), phase: (await target.read())?.phase, kept: (await target.read())?.kept });
  await stack.up({ br0: ["table=1,ip,actions=drop"] });
  const { flows: before } = await state();
  await target.layDown(id, FACTS);
  process.env[APPLY_VARIABLE] = id;
  await stack.up({ br0: ["table=1,ip,actions=p1", "table=2,ip,actions=drop"] });
  delete process.env[APPLY_VARIABLE];
  const { flows: changed } = await state();
  if (place === "host") expect(await target.startTimer(id, 3)).toBe("host");
  await fill();
  if (place === "host") await sleep(7000);
  else await expect(target.undo(id)).rejects.toThrow(full());
  expect(await state()).toEqual({ flows: changed, phase: "pending", kept: [] });
  await free("/run");
  if (place === "host") await until(async () => (await target.read())?.phase === "undone");
  else await target.undo(id);
  expect(await state()).toEqual({ flows: before, phase: "undone", kept: [] });
  await target.forget(id);
  await free("/dev/shm");
  await free(small);
  await stack.destroy();
});
