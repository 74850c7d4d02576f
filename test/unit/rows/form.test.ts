import { type DesiredRow, expandVpc, vpcBridges } from "@pulumi-ovn/provider";
import { rowLines, setDigest } from "@pulumi-ovn/provider/rows";
import { rowForm } from "@pulumi-ovn/provider/testing";

const tunnel = (address: string): DesiredRow => ({
  table: "Interface",
  key: "t1",
  columns: { name: "t1", type: "gre", options: { map: { local_ip: address, key: "5", remote_ip: "192.0.2.9" } } },
});
const form = rowForm(tunnel);

test.each(["192.0.2.1", "fd00::1", "a word", 'in "quotes"', "", "0", "zz"])(
  "a row of a form has the columns, the lines and the digest of any other row with %j",
  (word) => {
    const [formed, plain] = [form(word), tunnel(word)];
    expect({ ...formed }).toEqual(plain);
    expect(setDigest({ database: "Open_vSwitch", rows: [formed] })).toBe(setDigest({ database: "Open_vSwitch", rows: [plain] }));
    expect(rowLines([formed])).toEqual(rowLines([plain]));
    expect(rowLines(Array.from({ length: 65 }, () => formed))).toEqual(rowLines(Array.from({ length: 65 }, () => plain)));
  },
);

test("rows of one form with other words have different lines and digests", () => {
  const said = ["192.0.2.1", "192.0.2.2"].map((word) => [setDigest({ database: "Open_vSwitch", rows: [form(word)] }), rowLines([form(word)])]);
  expect(said[0]).not.toEqual(said[1]);
  expect(said[1]![1]).toEqual({ "Interface t1": "type=gre options:key=5 options:local_ip=192.0.2.2 options:remote_ip=192.0.2.9" });
});

test.each([
  ["198.18.0.", "geneve"],
  ["fd00::", "vxlan"],
] as const)("hosts of a VPC with addresses %s and tunnels of %s: what is shown and digested is that of their rows, each by itself", (prefix, tunnelType) => {
  const { bridges } = expandVpc({
    name: "blue",
    hosts: Object.fromEntries(Array.from({ length: 12 }, (_, host) => [`h${host}`, { tunnelAddress: `${prefix}${host + 1}` }])),
    tunnelType,
    tiers: { web: { cidrs: ["10.1.0.0/24"], gateways: ["10.1.0.1"], key: 1001 }, db: { cidrs: ["10.2.0.0/24"], gateways: ["10.2.0.1"], key: 1002 } },
    workloads: Object.fromEntries(
      Array.from({ length: 12 }, (_, host) => [
        `w${host}`,
        { tier: "web", host: `h${host}`, mac: `0a:00:00:00:00:0${host.toString(16)}`, addresses: [`10.1.0.${host + 2}`] },
      ]),
    ),
    virtualRouter: { host: "h0" },
  });
  const digests = Object.values(bridges).map((args) => {
    const { rows } = vpcBridges.render(vpcBridges.schema.parse(args));
    const plain = { ...rows, rows: JSON.parse(JSON.stringify(rows.rows)) as DesiredRow[] };
    expect([setDigest(rows), rowLines(rows.rows)]).toEqual([setDigest(plain), rowLines(plain.rows)]);
    return setDigest(rows);
  });
  expect(new Set(digests).size).toBe(12);
});
