import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { droppingIn } from "@pulumi-ovn/provider/testing";
import { droppingFlows } from "@pulumi-ovn/provider/tools";

test("reads dropping flows, their matches and packet counts, and no others", () => {
  const dump = [
    " cookie=0xa, duration=5.123s, table=11, n_packets=3, n_bytes=126, idle_age=2, priority=100,arp actions=drop",
    " cookie=0xa, duration=5.123s, table=11, n_packets=40, n_bytes=0, priority=0 actions=drop",
    ' cookie=0xa, duration=5.123s, table=4, n_packets=18446744073709, n_bytes=0, reset_counts priority=65525,tcp,in_port="a b",tp_dst=0x1f40/0xffc0 actions=drop',
    " cookie=0xa, duration=5.123s, table=4, n_packets=9, n_bytes=0, priority=65525,tcp,in_port=drop actions=resubmit(,5)",
    " cookie=0xa, duration=5.123s, table=4, n_packets=5, n_bytes=0, tcp,in_port=pr7 actions=drop",
    " cookie=0xa, duration=5.123s, table=4, n_packets=6, n_bytes=0, idle_timeout=7, send_flow_rem reset_counts idle_age=2, tcp actions=drop",
    " cookie=0xa, duration=5.123s, table=4, n_packets=7, n_bytes=0, reset_counts actions=drop",
    " cookie=0xa, duration=5.123s, table=4, n_packets=8, n_bytes=0, tcp,in_port=pr7 actions=resubmit(,5)",
    "OFPST_FLOW reply (OF1.4) (xid=0x2):",
    "",
  ];
  expect(droppingIn(dump.join("\n"))).toEqual([
    { match: "arp", packets: 3 },
    { match: "", packets: 40 },
    { match: 'tcp,in_port="a b",tp_dst=0x1f40/0xffc0', packets: 18446744073709 },
    { match: "tcp,in_port=pr7", packets: 5 },
    { match: "tcp", packets: 6 },
    { match: "", packets: 7 },
  ]);
});

test("requests the flows of a cookie in a table with names of ports; a missing bridge has no result", async () => {
  const folder = await mkdtemp(join(tmpdir(), "dropped-"));
  try {
    const ofctl = join(folder, "ovs-ofctl");
    await writeFile(ofctl, '#!/bin/sh\ncase "$*" in *gone*) exit 1; esac\necho " cookie=0xa, n_packets=1, n_bytes=0, priority=1,$* actions=drop"\n');
    await chmod(ofctl, 0o755);
    const place = { host: { command: ["env", `PATH=${folder}:${process.env["PATH"]}`], timeout: 20 } };
    const tables = ["br-a", "gone", "br-b"].map((bridge, index) => ({ bridge, table: index, cookie: "0xa" }));
    const asked = (bridge: string, table: number) => [
      { match: `-O OpenFlow13,OpenFlow14 --names --timeout=20 dump-flows ${bridge} cookie=0xa/-1,table=${table}`, packets: 1 },
    ];
    expect(await droppingFlows(place, tables)).toEqual([asked("br-a", 0), undefined, asked("br-b", 2)]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
