import fc from "fast-check";
import { portsOf } from "@pulumi-ovn/provider/testing";

const described = (...ports: [number: string, name: string][]) =>
  [
    "OFPST_PORT_DESC reply (OF1.4) (xid=0x2):",
    ...ports.flatMap(([number, name]) => [
      ` ${number}(${name}): addr:92:bb:54:13:67:9f`,
      "     config:     PORT_DOWN",
      "     speed: 10000 Mbps now, 0 Mbps max",
    ]),
    "",
  ].join("\n");

const ports = portsOf(described(["1", "p2"], ["22", "p1"], ["LOCAL", "br0"], ["4", "veth-1"], ["5", "same0"], ["6", "same0"]));

test.each([
  ["in_port=p1 actions=drop", "in_port=22 actions=drop"],
  ["priority=5,tcp,in_port=p1,tp_dst=1 actions=output:p2,output:p1", "priority=5,tcp,in_port=22,tp_dst=1 actions=output:1,output:22"],
  ["ip actions=set_field:00:00:00:00:00:01->eth_src,load:0x1->NXM_NX_REG1[],resubmit(,1)", undefined],
])("%s", (named, numbered = named) => {
  expect(ports.numbered(named)).toBe(numbered);
  expect(ports.knows(named)).toBe(true);
  expect(ports.named(` cookie=0xa, ${numbered}`)).toBe(` cookie=0xa, ${named}`);
});

test("the bridge's own port is LOCAL, in numbers and in names", () => {
  const numbered = "table=1, in_port=LOCAL actions=output:1";
  expect(ports.knows("table=1, in_port=br0 actions=output:p2")).toBe(true);
  expect(ports.numbered("table=1, in_port=br0 actions=output:p2")).toBe(numbered);
  expect(ports.named(numbered)).toBe("table=1, in_port=LOCAL actions=output:p2");
});

test.each(["in_port=p3 actions=drop", "ip actions=output:p1,output:p3", "in_port=same0 actions=drop", "in_port=p1,ip actions=output:same0"])(
  "no number is known of a port in %s",
  (flow) => {
    expect(ports.knows(flow)).toBe(false);
    expect(ports.numbered(flow)).toBe(flow.replaceAll("p1", "22"));
  },
);

test.each([
  " cookie=0xa, in_port=7 actions=output:7",
  " cookie=0xa, in_port=4 actions=output:4",
  " cookie=0xa, in_port=5 actions=output:6",
  " cookie=0xa, ip,tp_dst=1 actions=resubmit(1,2),output:NXM_NX_REG0[0..1],output(port=1,max_len=5)",
])("leaves a line without known ports unchanged: %s", (line) => expect(ports.named(line)).toBe(line));

test("equal ports are one object, whatever their other fields", () => {
  const text = described(["1", "p1"], ["2", "p2"]);
  expect(portsOf(text.replace("PORT_DOWN", "0"))).toBe(portsOf(text));
  expect(portsOf(described(["2", "p1"], ["1", "p2"]))).not.toBe(portsOf(text));
  expect(portsOf(text).listing).toBe(" 1(p1): 2(p2):");
  expect(portsOf(text + described(["3", "no-name"]))).not.toBe(portsOf(text));
  expect(portsOf("").numbered("in_port=p1")).toBe("in_port=p1");
});

test("replaces names by numbers, and numbers by names", () => {
  const name = fc.stringMatching(/^[a-z]{1,4}\d{1,3}$/);
  fc.assert(
    fc.property(fc.uniqueArray(name, { minLength: 1, maxLength: 9 }), fc.array(fc.nat(), { maxLength: 5 }), (names, outputs) => {
      const own = portsOf(described(...names.map((text, index): [string, string] => [String(index + 1), text])));
      const numbers = outputs.map((output) => output % names.length);
      const line = (port: (index: number) => string) =>
        ` cookie=0xa, priority=5,tcp,in_port=${port(0)},tp_dst=1 actions=${["dec_ttl", ...numbers.map((index) => `output:${port(index)}`)].join()}`;
      const [named, numbered] = [line((index) => names[index]!), line((index) => String(index + 1))];
      expect(own.numbered(named)).toBe(numbered);
      expect(own.named(numbered)).toBe(named);
      expect(own.knows(named)).toBe(true);
    }),
  );
});
