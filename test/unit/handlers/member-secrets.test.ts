import { referenceTo } from "@pulumi-ovn/provider/testing";
import { ownerOf, served } from "../../support/provider";

const zones = { node1: { northbound: "unix:n", southbound: "unix:s" } };
const MAC = "0a:58:0a:00:00:05";
const vm1 = { zone: "node1", chassis: "node1", addresses: ["10.0.0.5"], mac: MAC, tunnelKey: 15 };
const holder = { nodes: { node1: { id: 2 } }, owner: ownerOf("NetworkMembers", "blue-members") };

it("hides in errors the secret values of a reference", async () => {
  const lists = await served("NetworkMembers", zones);
  const workloads = { vm1, vm2: { ...vm1, addresses: ["10.0.0.6"], tunnelKey: 16 } };
  await lists.check({}, { ...holder, workloads, redact: ["workloads"] });
  const ports = await served("WorkloadPorts", zones);
  const args = {
    zone: "node1",
    switch: "l2",
    members: referenceTo("workloads", "blue-members", workloads),
    owner: ownerOf("WorkloadPorts", "blue-workloads-node1"),
  };
  const reasons = async (redact?: string[]) => (await ports.check({}, { ...args, redact })).failures!.map(({ property, reason }) => `${property}: ${reason}`);
  expect(await reasons(["members"])).toEqual(["ports.vm2.mac: MAC [secret] is already used by vm1 [duplicate]"]);
  expect(await reasons()).toEqual([`ports.vm2.mac: MAC ${MAC} is already used by vm1 [duplicate]`]);
});

it("keeps no earlier list with a secret, even if the new list has none", async () => {
  const lists = await served("NetworkMembers", zones);
  const checked = async (mac: string, redact?: string[]) =>
    (await lists.check({}, { ...holder, workloads: { vm1: { ...vm1, mac } }, redact })).inputs as object;
  const [secret, open] = [await checked(MAC, ["workloads"]), await checked("0a:58:0a:00:00:06")];
  expect(JSON.stringify((await lists.update("members", secret, open)).outs)).not.toContain(MAC);
  expect(JSON.stringify((await lists.update("members", open, secret)).outs)).not.toContain("0a:58:0a:00:00:06");
  expect(JSON.stringify((await lists.update("members", open, await checked(MAC))).outs)).toContain("0a:58:0a:00:00:06");
});
