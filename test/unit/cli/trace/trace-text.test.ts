import { readTrace } from "@pulumi-ovn/cli/testing";
import { printed, tunnelTo } from "./samples";

const before = { source: "0a:00:00:00:00:01", destination: "0a:58:00:00:00:01", ttl: 64 };

it("lists the flows of every bridge in their order, with their cookies", () => {
  const text = printed([
    {
      bridges: [
        [
          "br-t1",
          [
            { table: 0, match: "tun_src=0.0.0.0,tun_ipv6_src=::", priority: 100, cookie: "0xab" },
            { table: 12, priority: 0 },
          ],
        ],
        ["lr-blue", [{ table: 4, match: "in_port=pr1", priority: 65505, cookie: "0xcd" }]],
      ],
      actions: "drop",
    },
  ]);
  expect(readTrace(text, before)).toEqual({
    steps: [
      { bridge: "br-t1", table: 0, priority: 100, cookie: "0xab", match: "tun_src=0.0.0.0,tun_ipv6_src=::" },
      { bridge: "br-t1", table: 12, priority: 0, cookie: "0x0", match: "" },
      { bridge: "lr-blue", table: 4, priority: 65505, cookie: "0xcd", match: "in_port=pr1" },
    ],
    sent: [],
  });
});

it("continues after conntrack, with the packet's headers at that point", () => {
  const text = printed([
    {
      bridges: [["br-t1", [{ table: 0, priority: 1 }]]],
      actions: "set(eth(src=0e:00:00:00:00:02,dst=0a:00:00:00:00:09)),set(ipv4(ttl=63)),ct(zone=1),recirc(0x3)",
    },
    { bridges: [["br-t1", [{ table: 3, priority: 0 }]]], actions: `ct(commit,zone=1),${tunnelTo("192.0.2.2", 1002)}` },
  ]);
  const { steps, sent } = readTrace(text, before);
  expect(steps.map(({ table }) => table)).toEqual([0, 3]);
  expect(sent).toEqual([{ to: { remote: "192.0.2.2", key: 1002 }, headers: { source: "0e:00:00:00:00:02", destination: "0a:00:00:00:00:09", ttl: 63 } }]);
});

it("lists nothing for a table without a matching flow", () => {
  expect(readTrace('bridge("br-t1")\n---------------\n 0. No match.\n    drop\n\nFinal flow: unchanged\nDatapath actions: drop\n', before)).toEqual({
    steps: [],
    sent: [],
  });
});
