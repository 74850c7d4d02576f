import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { parseFlow, writtenMatch } from "@pulumi-ovn/provider/testing";
import { programEnvironment } from "@pulumi-ovn/sandbox/testing";
import { binaries } from "@pulumi-ovn/sandbox";

const NUMBER = fc.integer({ min: 0, max: 200 }).map(String);

/** Names with values that ovs-ofctl takes in each of its forms; without a value, the name is the field. */
const FIELD = fc.oneof(
  fc.tuple(fc.constantFrom("table", "priority", "metadata", "tun_id", "reg0", "reg1[0..7]", "in_port", "pkt_mark"), NUMBER),
  fc.constantFrom<[string, string?]>(
    ["ip"],
    ["dl_src", "00:00:00:00:00:01"],
    ["dl_dst", "01:00:00:00:00:00/01:00:00:00:00:00"],
    ["packet_type", "(1,0x800)"],
    ["ct_state", "+trk-new"],
    ["dl_vlan", "5"],
  ),
);

const FORM = fc.tuple(fc.constantFrom("=", ":", "("), fc.stringMatching(/^[, \t]{0,2}$/));

/** Only brackets end a field by themselves. */
const FLOW = fc
  .tuple(fc.stringMatching(/^[, \t]{0,2}$/), fc.array(fc.tuple(FIELD, FORM), { maxLength: 6 }))
  .map(
    ([begin, fields]) =>
      begin +
      fields
        .map(([[name, value], [mark, after]]) =>
          value === undefined ? `${name}${after || ","}` : mark === "(" ? `${name}(${value})${after}` : `${name}${mark}${value}${after || " "}`,
        )
        .join(""),
  );

test("ovs-ofctl reads all forms of fields as this package does", async () => {
  const environment = { ...process.env, ...programEnvironment(await binaries()) };
  const read = (texts: readonly string[]) =>
    execFileSync("ovs-ofctl", ["-O", "OpenFlow15", "--verbose=off", "parse-flows", "-"], {
      input: texts.map((text) => `${text},actions=drop\n`).join(""),
      env: environment,
      encoding: "utf8",
      maxBuffer: 1e8,
    })
      .split("\n")
      .filter((line) => line.startsWith("OFPT_FLOW_MOD"))
      .map((line) => line.replace(/\(xid=\w+\)/, ""));
  const ours = (text: string): string => {
    const { table, priority } = parseFlow(`${text},actions=drop`)!;
    const match = writtenMatch(`${text},actions=drop`);
    expect(match).not.toMatch(/table|priority/);
    return [`table=${table}`, `priority=${priority}`, match].filter(Boolean).join();
  };
  fc.assert(
    fc.property(fc.array(FLOW, { minLength: 300, maxLength: 300 }), (texts) => {
      const said = read(texts);
      expect(said).toHaveLength(texts.length);
      expect(said).toEqual(read(texts.map(ours)));
    }),
    { numRuns: 5 },
  );
});
