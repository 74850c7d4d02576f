import { dumpedFlows, withoutStatistics } from "@pulumi-ovn/provider/testing";

test.each([
  [
    " cookie=0xa, duration=12.345s, table=3, n_packets=7, n_bytes=420, priority=5,ip,in_port=1 actions=drop",
    " cookie=0xa, table=3, priority=5,ip,in_port=1 actions=drop",
  ],
  [" cookie=0x0, duration=9s, table=0, n_packets=0, n_bytes=0, actions=NORMAL", " cookie=0x0, actions=NORMAL"],
  [" cookie=0xa, duration=1.002s, table=10, n_packets=1, n_bytes=1, idle_timeout=5, ip actions=drop", " cookie=0xa, table=10, idle_timeout=5, ip actions=drop"],
])("%s", (line, without) => {
  expect(withoutStatistics(`OFPST_FLOW reply (OF1.4) (xid=0x2):\n${line}\n${line}\n`)).toBe(`OFPST_FLOW reply (OF1.4) (xid=0x2):\n${without}\n${without}\n`);
});

test("keeps unusual statistics, and marks such a line as unusual", () => {
  const line = " cookie=0xa, duration=1s, table=0, n_packets=0, n_bytes=0, idle_age=4, ip actions=drop";
  expect(dumpedFlows(withoutStatistics(line), "0xa")).toBeUndefined();
  expect(dumpedFlows(withoutStatistics(line.replace(" idle_age=4,", "")), "0xa")).toHaveLength(1);
});
