import { type KubernetesObject, objectLines } from "@pulumi-ovn/provider";
import { hideObjects } from "@pulumi-ovn/provider/testing";

const lines = (make: (secret: string) => KubernetesObject[]) => objectLines(hideObjects({ objects: make("hunter2") }, { objects: make("ivoufs3") }));
const map = (name: string, fields: object): KubernetesObject => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: "default" }, ...fields });

it("hides the password of a neighbor, and no other field", () => {
  const config = (password: string) =>
    map("frr", { spec: { bgp: { routers: [{ asn: 64512, neighbors: [{ address: "172.18.0.5", password }, { address: "172.18.0.6" }] }] } } });
  const shown = JSON.stringify(lines((secret) => [config(secret)]));
  expect(shown).toContain("172.18.0.5");
  expect(shown).toContain("172.18.0.6");
  expect(shown).toContain("64512");
  expect(shown).toContain(String.raw`password=\"[secret]\"`);
  expect(shown).not.toContain("hunter2");
});

it("hides lists of differing length, and differing keys and types", () => {
  const twins = [
    map("a", { list: ["hunter2"], data: { hunter2: "1", open: "2" }, one: { x: 1 } }),
    map("a", { list: ["ivoufs3", "2"], data: { ivoufs3: "1", open: "2" }, one: 5 }),
  ] as const;
  expect(objectLines(hideObjects({ objects: [twins[0]] }, { objects: [twins[1]] }))).toEqual({
    "ConfigMap default/a": 'data."[secret]"="[secret]" data.open=2 list="[secret]" one="[secret]"',
  });
});

it("hides objects with secret names completely, and keeps them distinct", () => {
  expect(lines((secret) => [map(`a-${secret}`, { data: { b: "1" } }), map(`b-${secret}`, {}), map("c", { data: {} })])).toEqual({
    "ConfigMap [secret]": 'contents="[secret]"',
    "ConfigMap [secret] 2": 'contents="[secret]"',
    "ConfigMap default/c": "data={}",
  });
});
