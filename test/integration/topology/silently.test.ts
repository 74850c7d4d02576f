import { type Central, startCentral } from "@pulumi-ovn/sandbox";

// Rows that OVN accepts but treats as something else, which the refusals of `provider/topology` are based on.

let central: Central;
beforeAll(async () => {
  central = await startCentral();
  await run("ovn-sbctl", "chassis-add", "h1", "geneve", "198.18.0.1");
  await run("ovn-nbctl", "lr-add", "7gr", "--", "set", "Logical_Router", "7gr", "options:chassis=h1");
  for (const port of PORTS) {
    await run("ovn-nbctl", "lrp-add", "7gr", `p${port}`, `0a:00:00:00:00:${port}`, `10.0.${Number(port)}.1/24`, `2001:db8:${port}::1/64`);
    const attached = ["--", "lsp-add", `s${port}`, `to${port}`, "--", "lsp-set-type", `to${port}`, "router", "--", "lsp-set-options", `to${port}`];
    await run("ovn-nbctl", "ls-add", `s${port}`, ...attached, `router-port=p${port}`);
  }
});
afterAll(() => central.stop());

const PORTS = Array.from({ length: 12 }, (_, index) => String(index + 10));

async function run(...command: string[]): Promise<string> {
  const [program, ...args] = command as [string, ...string[]];
  const { code, stdout, stderr } = await central.run(program, args);
  if (code !== 0) throw new Error(stderr);
  return stdout;
}

const flows = async (text: string): Promise<string[]> => {
  await run("ovn-nbctl", "--wait=sb", "sync");
  return (await run("ovn-sbctl", "lflow-list", "7gr")).split("\n").filter((line) => line.includes(text));
};

it("northd limits intervals of router advertisements to the ranges of RFC 4861", async () => {
  const told = async (most: number, least: number) => {
    const configs = Object.entries({ address_mode: "slaac", send_periodic: true, max_interval: most, min_interval: least });
    await run("ovn-nbctl", "--wait=sb", "set", "Logical_Router_Port", "p10", ...configs.map(([key, value]) => `ipv6_ra_configs:${key}=${value}`));
    const options = await run("ovn-sbctl", "--bare", "--columns=options", "find", "Port_Binding", "logical_port=p10");
    return ["max", "min"].map((end) => Number(new RegExp(`ipv6_ra_${end}_interval=(\\d+)`).exec(options)![1]));
  };
  expect([await told(1801, 300), await told(1800, 1351), await told(3, 3), await told(4, 2)]).toEqual([
    [1800, 300],
    [1800, 1350],
    [4, 3],
    [4, 3],
  ]);
  expect([await told(1800, 1350), await told(4, 3)]).toEqual([
    [1800, 1350],
    [4, 3],
  ]);
});

it("a link-local next hop is on every port: a policy uses the port with the first UUID, a route without an output port any", async () => {
  const outport = (line: string) => /outport = "(p\d+)"/.exec(line)![1];
  await run("ovn-nbctl", "lr-policy-add", "7gr", "100", "ip6.src == 2001:db8:10::5", "reroute", "fe80::21");
  await run("ovn-nbctl", "lr-route-add", "7gr", "2001:db8:f1::/48", "fe80::22");
  await run("ovn-nbctl", "lr-route-add", "7gr", "2001:db8:f2::/48", "fe80::23", "p15");
  const [uuid] = (await run("ovn-nbctl", "--bare", "--columns=ports", "list", "Logical_Router", "7gr")).split(" ");
  const first = (await run("ovn-nbctl", "--bare", "--columns=name", "list", "Logical_Router_Port", uuid!)).trim();
  expect((await flows("xxreg0 = fe80::21")).map(outport)).toEqual([first]);
  expect((await flows("xxreg0 = fe80::22")).map(outport)).toEqual([expect.stringMatching(/^p\d+$/)]);
  expect((await flows("xxreg0 = fe80::23")).map(outport)).toEqual(["p15"]);
});

it("the name of an address set in a match can't begin with a digit", async () => {
  const complaint = async (name: string) => {
    await run("ovn-nbctl", "lr-nat-add", "7gr", "snat", "10.0.10.1", "10.0.11.0/24");
    const nat = (await run("ovn-nbctl", "--bare", "--columns=_uuid", "find", "NAT")).trim();
    await run("ovn-nbctl", "--", "create", "Address_Set", `name=${name}`, "addresses=192.0.2.1");
    await run("ovn-nbctl", "--wait=sb", "set", "NAT", nat, `match="ip4.dst == $${name}"`);
    const { stderr } = await central.run("ovn-trace", [`--db=${central.southbound}`, "7gr", 'inport == "p11" && eth.dst == 0a:00:00:00:00:11 && ip4']);
    await run("ovn-nbctl", "lr-nat-del", "7gr");
    return /parsing expression failed \((.*)\)/.exec(stderr)?.[1];
  };
  expect([await complaint("7.gw.translated_ip4"), await complaint("_7.gw.translated_ip4")]).toEqual(["`$' must be followed by a valid identifier.", undefined]);
});
