import type { Status } from "@pulumi-ovn/sandbox";
import { proofText, statusText } from "@pulumi-ovn/sandbox/testing";

test("the proof is a table, with the cause where a check failed", () => {
  expect(
    proofText([
      { what: "short", detail: "vm1 -> vm2, 1.0 ms" },
      { what: "longer one", detail: "vm2 -> vm1", failure: "no answer from 203.203.0.17" },
    ]),
  ).toBe(["  ok      short       vm1 -> vm2, 1.0 ms", "  FAILED  longer one  vm2 -> vm1: no answer from 203.203.0.17"].join("\n"));
});

test("the status lists every namespace and the databases", () => {
  const common = { processes: {}, memory: 2 * 1024 * 1024 };
  const status: Status = {
    name: "two",
    folder: "/f/two",
    ovn: true,
    frr: true,
    memory: 40 * 1024 * 1024,
    upstream: { ...common, kind: "upstream", name: "ext", addresses: ["172.18.0.1/24"] },
    leaves: [{ ...common, kind: "leaf", name: "leaf1", addresses: ["100.64.1.2/31", "fd64:0:0:1::2/127"] }],
    hosts: [
      {
        ...common,
        kind: "host",
        name: "node1",
        zone: "node1",
        addresses: ["172.18.0.111/24"],
        chassis: "node1",
        encap: "198.18.0.1",
        gatewayRouter: ["172.18.0.11/24"],
        northbound: "unix:/n",
        southbound: "unix:/s",
        openvswitch: "unix:/o",
      },
    ],
    workloads: [{ ...common, kind: "workload", name: "vm1", host: "node1", ifaceId: "vm1", mac: "0a:58:cb:cb:00:11", addresses: ["203.203.0.17/16"] }],
  };
  expect(statusText(status)).toBe(
    [
      "sandbox two: 1 hosts with FRR, 40 MB, /f/two",
      "  NAMESPACE  WHAT               MEMORY  ADDRESSES",
      "  ext        upstream router      2 MB  172.18.0.1",
      "  leaf1      leaf                 2 MB  100.64.1.2 fd64:0:0:1::2",
      "  node1      host                 2 MB  172.18.0.111 tunnels 198.18.0.1 (gateway router 172.18.0.11)",
      "  vm1        workload on node1    2 MB  203.203.0.17 0a:58:cb:cb:00:11",
      "databases",
      "  node1      northbound unix:/n  southbound unix:/s",
      "",
    ].join("\n"),
  );
});
