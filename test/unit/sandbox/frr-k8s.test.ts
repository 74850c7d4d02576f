import { execFileSync } from "node:child_process";
import { frrK8sScripts, hostAddresses, hostObjects, layout, namespaceFiles } from "@pulumi-ovn/sandbox/testing";

const scripts = frrK8sScripts({
  folder: "/tmp/a folder/node1",
  node: "node1",
  kubeconfig: "/tmp/a folder/kubeconfig",
  reload: "/usr/lib/frr/frr-reload.py",
  programs: { controller: "/c/controller", status: "/c/status", crds: "/c/crds" },
});

test("every script, also the inner one, is valid for a POSIX shell", () => {
  for (const script of Object.values(scripts)) {
    execFileSync("sh", ["-n"], { input: script });
    const inner = /sh -ec '([^']+)'/.exec(script)?.[1];
    if (inner !== undefined) execFileSync("sh", ["-n"], { input: inner });
  }
  expect(scripts["frr-k8s-controller"]).toContain(
    "sh '/tmp/a folder/node1' frr-k8s-controller '/tmp/a folder/kubeconfig' /c/controller --node-name node1 --namespace frr-k8s-system",
  );
  expect(scripts["frr-k8s-status"]).toContain("/c/status --node-name node1 --namespace frr-k8s-system --pod-name frr-k8s-node1 --poll-interval 1s");
});

test("with frr-k8s a host begins without sessions, and the upstream router waits for them", () => {
  const files = namespaceFiles(layout({ hosts: 1, kubernetes: true }), "/f");
  expect(files.get("node1/bgpd.conf")).toBe("");
  expect(files.get("ext/bgpd.conf")).toContain(" neighbor 172.18.0.111 remote-as 64513");
});

test("a host is a node with its addresses, and a pod on it", () => {
  expect(hostObjects(hostAddresses(1))).toEqual({
    node: { apiVersion: "v1", kind: "Node", metadata: { name: "node1", labels: { "kubernetes.io/hostname": "node1" } } },
    status: {
      status: {
        addresses: [
          { type: "InternalIP", address: "172.18.0.111" },
          { type: "InternalIP", address: "fc00:f853:ccd:e793::6f" },
        ],
      },
    },
    pod: {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "frr-k8s-node1", namespace: "frr-k8s-system" },
      spec: { nodeName: "node1", containers: [{ name: "controller", image: "frr-k8s" }] },
    },
  });
});
