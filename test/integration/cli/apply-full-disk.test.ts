import { join } from "node:path";
import { openTarget } from "@pulumi-ovn/cli/testing";
import { Switches } from "../../support/switches";

const switches = Switches.of({ name: "full-disk", hosts: 1, workloads: [] });

it("refuses an apply to a host whose folder for temporary files is full", async () => {
  const folder = join(switches.sandbox.folder, "small");
  await switches.on("node1", "sh", "-c", `mkdir ${folder} && mount -t tmpfs -o size=64k none ${folder}`);
  const host = switches.sandbox.targets.hosts["node1"]!;
  const targets = switches.targets({ node1: { ...host, command: [...host.command!, "env", `TMPDIR=${folder}`] } });
  const target = await openTarget(targets, { kind: "host", name: "node1", database: "Open_vSwitch" });
  await expect(target.startTimer("00000016", 60)).rejects.toMatchObject({
    code: "OVN_APPLY_TIMER",
    message: `the process that would undo the change does not start on the database's host: ${folder} has no space for 1 MB, which the undo needs; try again, or run pulumi-ovn guard next to the target`,
  });
  const left = await switches.on("node1", "ls", "-A", folder);
  await switches.on("node1", "umount", folder);
  expect([left, await target.startTimer("00000016", 60)]).toEqual(["", "host"]);
});
