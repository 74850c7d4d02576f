import { mkdtempSync, writeFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readZones } from "../../../provider/zones/config";
import { Connections } from "../../../provider/zones/connections";

describe("ovn:zones", () => {
  it("takes an endpoint alone as the Northbound database", () => {
    expect(readZones('{"a":"unix:/run/nb.sock","b":{"northbound":"ssl:h:6641,ssl:i:6641","southbound":"tcp:h:6642","tls":{"ca":"ca.pem"},"deadline":5}}', undefined)).toEqual({
      a: { northbound: "unix:/run/nb.sock" },
      b: { northbound: "ssl:h:6641,ssl:i:6641", southbound: "tcp:h:6642", tls: { ca: "ca.pem" }, deadline: 5 },
    });
  });

  it("is overridden zone by zone by the environment, as text or as a file", () => {
    const folder = mkdtempSync(join(tmpdir(), "zones-"));
    writeFileSync(join(folder, "zones.json"), '{"a":"tcp:127.0.0.1:6641"}');
    const configured = '{"a":"unix:/a","b":"unix:/b"}';
    const expected = { a: { northbound: "tcp:127.0.0.1:6641" }, b: { northbound: "unix:/b" } };
    expect(readZones(configured, '{"a":"tcp:127.0.0.1:6641"}')).toEqual(expected);
    expect(readZones(configured, join(folder, "zones.json"))).toEqual(expected);
    rmSync(folder, { recursive: true });
    expect(() => readZones(configured, join(folder, "zones.json"))).toThrow(/PULUMI_OVN_ZONES names a file that can't be read/);
  });

  it.each([
    ["not json", "is not JSON"],
    ['{"a":"/run/nb.sock"}', "a: must begin with unix:, tcp:, ssl: or exec:"],
    ['{"a":{"northbound":"unix:/x","tsl":{}}}', 'a: Unrecognized key: "tsl"'],
    ['{"a":{"northbound":5}}', "a.northbound: Invalid input: expected string, received number"],
    ['{"a":{"deadline":0}}', "a.deadline: Too small"],
  ])("refuses %s", (text, message) => {
    expect(() => readZones(text, undefined)).toThrow(message);
  });
});

describe("Connections", () => {
  const connections = new Connections({ node1: { northbound: "unix:/nowhere/nb.sock" }, node2: { northbound: "unix:/b" } });

  it("says which zones there are when one is unknown", () => {
    expect(() => connections.zone("nodee1")).toThrow('zone "nodee1" is not configured; ovn:zones has node1, node2');
    expect(() => connections.zone("constructor")).toThrow('zone "constructor" is not configured');
    expect(() => new Connections({}).zone("a")).toThrow("the stack has no zones; set them with: pulumi config set --path 'ovn:zones.a.northbound'");
  });

  it("says which setting is missing for a database", () => {
    expect(() => connections.endpoints("node1", "OVN_Southbound")).toThrow('zone "node1" has no southbound endpoint, which OVN_Southbound rows need; set ovn:zones.node1.southbound');
  });

  it("tries again after a failure", async () => {
    const first = connections.get("node1", "OVN_Northbound");
    await expect(first).rejects.toMatchObject({ code: "OVSDB_CONNECTION" });
    expect(connections.get("node1", "OVN_Northbound")).not.toBe(first);
    await connections.close();
  });
});
