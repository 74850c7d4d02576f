import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { BridgeFlows, Layer2Switch, NorthboundRows } from "pulumi-ovn";
import { cleanerOf, quote, type SecretPath } from "@pulumi-ovn/provider/testing";
import { previewed } from "../../support/previewed";
import { ownerOf, served } from "../../support/provider";

const hideSecrets = (text: string, properties: Record<string, unknown>, secrets: SecretPath[], at?: string) =>
  cleanerOf(() => [{ properties, secrets }])(text, at);
const hidden = (text: string, ...secrets: unknown[]) => hideSecrets(text, { secret: secrets, open: "shown" }, ["secret"]);

it("hides secrets in upper and lower case, also regular expressions, longest first", () => {
  expect(hidden("mac 0a:58:AA:00:00:01 of 0A:58:aa:00:00:01 shown", "0a:58:aa:00:00:01")).toBe("mac [secret] of [secret] shown");
  expect(hidden("pass.word, pass word", "pass.word")).toBe("[secret], pass word");
  expect(hidden("ab-cd ab", "ab", "ab-cd")).toBe("[secret] [secret]");
});

it("hides the address of a secret prefix, but no parts of other texts", () => {
  expect(hidden("10.0.0.0 is the first address of 10.0.0.0/8", "10.0.0.0/8")).toBe("[secret] is the first address of [secret]");
  expect(hidden("a of a/8", "a/8x")).toBe("a of a/8");
});

it("keeps numbers that contain a secret number, and values that are not secret", () => {
  expect(hidden("17 117 170 x17 17x", 17)).toBe("[secret] 117 170 x17 17x");
  expect(hidden("AB:CD 1AB:CD AB:CD:0", "AB:CD")).toBe("[secret] 1AB:CD [secret]:0");
  expect(hidden("nothing true", "", true, null)).toBe("nothing true");
  expect(hideSecrets("a", { secret: "a" }, [])).toBe("a");
});

it("finds secrets at any depth", () => {
  expect(hidden("a b c", { x: ["a", { y: "c" }] })).toBe("[secret] b [secret]");
});

it("hides a long text inside of others, escaped and in base64; a short one only as a word", () => {
  expect(hidden("xHunter2y, peer-hunter2", "hunter2")).toBe("x[secret]y, peer-[secret]");
  expect(hidden(`said ${JSON.stringify('hunter"2\n')}`, 'hunter"2\n')).toBe('said "[secret]"');
  expect(hidden(`data: ${Buffer.from("hunter2").toString("base64")}`, "hunter2")).toBe("data: [secret]");
  expect(hidden("tables able", "able")).toBe("tables [secret]");
  expect(hidden("10.0.0.1 10.0.0.10", "10.0.0.1")).toBe("[secret] 10.0.0.10");
});

it("hides the value at a path, not its neighbors", () => {
  const properties = { peers: [{ name: "leaf-one", password: "hunter2" }], "a.b": { password: "third-3" } };
  const text = "leaf-one hunter2 third-3";
  expect(hideSecrets(text, properties, [["peers", "0", "password"]])).toBe("leaf-one [secret] third-3");
  expect(hideSecrets(text, properties, [["a.b", "password"], ["peers"]])).toBe("[secret] [secret] [secret]");
  expect(hideSecrets(text, properties, [["peers", "1", "password"], ["none", "x"], "toString"])).toBe(text);
});

it.each([
  ["a string in a string", 'hunter"2', JSON.stringify(JSON.stringify('hunter"2')).slice(3, -3)],
  ["JSON of Go", "hunter<2>&", "hunter\\u003c2\\u003e\\u0026"],
  ["a string of Go", "hunter\u0001\u0007\u000b\u007f2", "hunter\\x01\\a\\v\\x7f2"],
  ["a URL", "hunter 2/ü", "hunter%202%2F%C3%BC"],
  ["base64 of a text that could be a number", "deadbeef01", Buffer.from("deadbeef01").toString("base64")],
  ["base64 without padding", "hunter22", Buffer.from("hunter22").toString("base64").replace("=", "")],
  ["base64 for URLs", "hunter??>>", Buffer.from("hunter??>>").toString("base64url")],
  ["half a pair", "hunter\ud800", "hunter\\ud800"],
])("hides a text encoded as %s", (_how, secret, coded) => {
  expect(hidden(`before ${coded} after`, secret)).toBe("before [secret] after");
});

it("hides the beginning of a long text that a message cuts", () => {
  const long = `${"hunter-".repeat(10)}2"`;
  expect(hidden(`${quote(long)} is not an IP address`, long)).toBe('"[secret]..." is not an IP address');
  expect(hidden(quote(`"${long}`), `"${long}`)).toBe('"[secret]..."');
});

it("hides distinctive parts of a secret, and all but short parts in errors about it", () => {
  const [flow, text] = ["ip,nw_src=10.0.0.300,actions=output:hunter2x", "field nw_src: 10.0.0.300, port hunter2x, ip"];
  expect(hideSecrets(text.replace("hunter2x", "output:hunter2x"), { flows: [flow] }, [["flows", "0"]])).toBe("field nw_src: 10.0.0.300, port [secret], ip");
  const at = (path: string) =>
    hideSecrets(
      "field nw_src: 10.0.0.300, ip",
      { flows: [flow], "5": { a: flow } },
      [
        ["flows", "0"],
        ["5", "a"],
      ],
      path,
    );
  for (const inside of ["flows[0]", "flows[0].nw_src", '["5"].a', '["5"].a[0]']) expect(at(inside)).toBe("field nw_src: [secret], ip");
  for (const property of ["flows", "flows[1]", "flows[00]", "", '["5"].ab']) expect(at(property)).toBe("field nw_src: 10.0.0.300, ip");
});

it("hides a secret in words that is also a part of another secret", () => {
  const properties = { password: "hunter22x", raw: "neighbor 10.0.0.1 password hunter22x" };
  expect(hideSecrets("xhunter22xy, neighbor", properties, ["password", "raw"])).toBe("x[secret]y, neighbor");
  expect(hideSecrets("xhunter22xy, neighbor", properties, ["raw", "password"], "raw")).toBe("x[secret]y, [secret]");
});

it("hides two overlapping secrets completely", () => {
  expect(hideSecrets("a one-two-three, three", { a: "one-two", b: "x,two-three,three" }, ["a", "b"], "b")).toBe("a [secret], [secret]");
});

it("keeps names in a flow, unless they are also other values", () => {
  const at = (text: string, flow: string) => hideSecrets(text, { flow }, ["flow"], "flow");
  const words = "cookie, idle_timeout, actions, move, hunter, cookies";
  expect(at(words, "table=0, cookie=7 idle_timeout(5),in_port=hunter,actions=drop,move(cookies)")).toBe(
    "cookie, idle_timeout, actions, move, [secret], [secret]",
  );
  expect(at(words, "cookie=7,in_port=cookie,metadata=hunter,actions=move(x)")).toBe("[secret], idle_timeout, actions, [secret], [secret], cookies");
  // No flow: all of it may be secret.
  expect(at(words, "cookie=hunter,idle_timeout")).toBe("[secret], [secret], actions, move, [secret], cookies");
});

it("searches for secrets once for all texts, and not before the first text", () => {
  const known = jest.fn(() => [
    { properties: { a: ["hunter22", "hunter23"] }, secrets: ["a"] },
    { properties: { b: "hunter22" }, secrets: ["b"] },
  ]);
  const clean = cleanerOf(known);
  expect(known).not.toHaveBeenCalled();
  expect([clean("hunter22"), clean("hunter23", "a[1]"), clean("hunter22", "b"), clean("a", "a")]).toEqual(["[secret]", "[secret]", "[secret]", "a"]);
  expect(known).toHaveBeenCalledTimes(1);
});

it("hides names in a secret map, not names of a list that a reference replaces", () => {
  const entries = { "web-server": { mac: "0a:58:00:00:00:01" } };
  expect(hideSecrets("web-server has 0a:58:00:00:00:01", { map: entries }, ["map"])).toBe("[secret] has [secret]");
  // Names that look like arguments, word parts or numbers are shown; see docs/explanation/concepts.md.
  const plain = { webServer: "x", "db-1": "y", "10.0.0.77": "z" };
  expect(hideSecrets("webServer db-1 10.0.0.77", { map: plain }, ["map"])).toBe("webServer db-1 10.0.0.77");
  // Names of arguments, in an object that is secret as a whole, tell nothing.
  expect(hideSecrets("gateway.addresses[0]: 10.0.0.1", { gateway: { addresses: ["10.0.0.1"] } }, ["gateway"])).toBe("gateway.addresses[0]: [secret]");
  expect(hideSecrets("web-server has 0a:58:00:00:00:01", { members: entries }, ["members"])).toBe("web-server has [secret]");
});

describe("in the failures of a check", () => {
  const folder = mkdtempSync(join(tmpdir(), "secrets-"));
  const targets = join(folder, "targets.yaml");
  writeFileSync(
    targets,
    JSON.stringify({ zones: { node1: { northbound: "unix:/nowhere", southbound: "unix:/nowhere" } }, hosts: { host1: { command: ["/nowhere/ssh"] } } }),
  );
  afterAll(() => rmSync(folder, { recursive: true }));
  const failures = async (program: () => void) => (await previewed(program, { "ovn:targets": targets }))[0]!.failures.join("\n");

  it("hides parts and shortened forms of a secret", async () => {
    const long = "hunter-".repeat(10);
    for (const subnet of [long, `${long}/24`, "hunterhunter/24"]) {
      const said = await failures(() => void new Layer2Switch("sw", { zone: "node1", name: "l2", subnets: [pulumi.secret(subnet)], tunnelKey: 5 }));
      expect(said).toMatch(/^subnets\[0\]: .*\[secret\]/);
      expect(said).not.toContain("hunter");
    }
  });

  it("hides names in a secret map, also in the property's path", async () => {
    const said = await failures(
      () =>
        void new Layer2Switch("sw", {
          zone: "node1",
          name: "l2",
          subnets: ["203.203.0.0/16"],
          tunnelKey: 5,
          externalIds: pulumi.secret({ 'hunter"2': 5 as unknown as string }),
        }),
    );
    expect(said).toMatch(/^externalIds\["\[secret\]"\]: /);
    expect(said).not.toContain("hunter");
  });

  it("names the error in a secret flow without its values", async () => {
    const flows = (cookie: string) => [
      pulumi.secret(`table=0,cookie=${cookie},ip,in_port=hunter,actions=drop`),
      pulumi.secret("ip,nw_dst=10.99.0.2,nw_dst=10.99.0.1,actions=output:hunter"),
    ];
    const said = await failures(() => void new BridgeFlows("f", { host: "host1", bridges: [{ bridge: "br0", flows: flows("7777") }] }));
    expect(said.split("\n")).toEqual([
      'bridges[0].flows[0]: a flow has no "cookie" here: the cookie derives from the resource [value]',
      'bridges[0].flows[1]: "nw_dst" is in the match twice [duplicate]',
    ]);
    // A value that reads like a name is hidden.
    expect(await failures(() => void new BridgeFlows("f", { host: "host1", bridges: [{ bridge: "br0", flows: flows("cookie") }] }))).toMatch(
      /^bridges\[0\].flows\[0\]: a flow has no "\[secret\]" here: the \[secret\] derives/,
    );
  });

  it("hides words of a secret match expression", async () => {
    const acl = (match: string) => ({ acl: { table: "ACL", columns: { match: pulumi.secret(match), priority: 1, direction: "to-lport", action: "drop" } } });
    const said = await failures(() => void new NorthboundRows("r", { zone: "node1", entries: acl("ip4&&secret.name<5") }));
    expect(said).toBe("entries.acl.columns.match: column 6: [secret] is not a field or predicate (match expressions: ovn-sb(5), Logical_Flow) [match]");
  });

  it("searches for secrets once per request, for any number of failures", async () => {
    const pool = await served("AddressPool", {});
    /** Number of failures of a check with so many invalid owners, and how often it reads the secret owners. */
    const checked = async (count: number) => {
      const owners = Array.from({ length: count }, (_, at) => `hunter"${at}`);
      let reads = 0;
      const args = Object.defineProperty({ subnets: ["10.0.0.0/16"], redact: ["owners"] }, "owners", { enumerable: true, get: () => (reads++, owners) });
      const { failures: said = [] } = await pool.check({}, args);
      expect(said[0]!.reason).toContain('name "[secret]" can\'t have quotes');
      return [said.length, reads];
    };
    const [, reads] = await checked(1);
    expect(await checked(20)).toEqual([20, reads]);
  });

  it("hides formerly secret values", async () => {
    const members = await served("Layer2Switch", { node1: { northbound: "unix:/nowhere", southbound: "unix:/nowhere" } });
    const args = { zone: "node1", name: "l2", subnets: ["203.203.0.0/16"], tunnelKey: 5, owner: ownerOf("Layer2Switch", "sw") };
    const before = { ...args, name: "hunter2-old", redact: ["name"] };
    const { failures: said = [] } = await members.check(before, { ...args, name: "x hunter2-old" });
    expect(said.map(({ reason }) => reason).join()).toMatch(/x \[secret\]/);
  });
});
