import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { applyFlows as apply } from "@pulumi-ovn/provider/agent";
import { portsOf, rulesOf } from "@pulumi-ovn/provider/testing";

let folder: string;
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), "bundles-"))));
afterEach(() => rm(folder, { recursive: true }));

const DESCRIBED = " 1(p1): addr:00:00:00:00:00:01\n     config: 0\n 2(p2): addr:00:00:00:00:00:02\n LOCAL(br-0): addr:00:00:00:00:00:03\n";

/** A host whose ovs-ofctl prints ports, answers whether the switch runs, records all other input, and exits as `end` specifies. */
async function hostWith(end: string, described = DESCRIBED) {
  const said = join(folder, "said");
  await writeFile(said, "");
  await writeFile(join(folder, "ports"), described);
  const ports = `if [ $5 = dump-ports-desc ]; then echo "ports $6" >>${said}; exec cat ${folder}/ports; fi`;
  await writeFile(join(folder, "ovs-ofctl"), `#!/bin/sh\n[ $4 != get-frags ] || exit 0\n${ports}\n{ echo "$3 $7"; cat; } >>${said}\n${end}\n`, { mode: 0o755 });
  await writeFile(join(folder, "ovs-vsctl"), "#!/bin/sh\nexit 0\n", { mode: 0o755 });
  return { place: { host: { command: ["env", `PATH=${folder}:${process.env["PATH"]}`] } }, said: () => readFile(said, "utf8") };
}

const ports = portsOf(DESCRIBED);
const bundle = ["delete_strict table=1,in_port=p1 cookie=0xa/-1", "add table=2,ip cookie=0xa actions=output:p2"];
const numbered = bundle.join("\n").replace("p1", "1").replace("p2", "2");

test("writes a bundle with known port numbers, without reading names", async () => {
  const { place, said } = await hostWith("exit 0");
  await apply(place, [
    { bridge: "br0", bundle, ports },
    { bridge: "br1", bundle: ["add in_port=p3 cookie=0xa actions=output:p1"], ports },
    { bridge: "br2", bundle },
    { bridge: "br3", bundle: [...bundle, "add in_port=p3 cookie=0xa"], ports },
  ]);
  expect(await said()).toBe(
    `ports br0\n--no-names br0\n${numbered}\n--names br1\nadd in_port=p3 cookie=0xa actions=output:p1\n--names br2\n${bundle.join("\n")}\n--names br3\n${bundle.join("\n")}\nadd in_port=p3 cookie=0xa\n`,
  );
});

test("after a refusal, writes this and later bundles with names: port numbers may have changed", async () => {
  const { place, said } = await hostWith('[ "$3 $7" != "--no-names br1" ]');
  await apply(
    place,
    ["br0", "br1", "br2"].map((bridge) => ({ bridge, bundle, ports })),
  );
  const text = bundle.join("\n");
  expect(await said()).toBe(`ports br0\n--no-names br0\n${numbered}\nports br1\n--no-names br1\n${numbered}\n--names br1\n${text}\n--names br2\n${text}\n`);
});

const line = (port: string) => ` ${port}: addr:00:00:00:00:00:01\n`;
const changed: [what: string, described: string][] = [
  ["renumbered", DESCRIBED.replace("2(p2)", "9(p2)")],
  ["gone", DESCRIBED.replace(/ 2.*\n/, "")],
  ["taken over", DESCRIBED.replace("1(p1)", "1(p9)")],
  ["new, with a name from another writer", DESCRIBED + line('3("p 3")')],
  ["twice", DESCRIBED + line("4(p1)")],
  ["all deleted", ""],
];
test.each(changed)("if a port is %s since the dump, writes the bundle with names", async (_what, described) => {
  const { place, said } = await hostWith("exit 0", described);
  await apply(place, [
    { bridge: "br0", bundle, ports },
    { bridge: "br1", bundle },
  ]);
  const text = bundle.join("\n");
  expect(await said()).toBe(`ports br0\n--names br0\n${text}\n--names br1\n${text}\n`);
});

test("accepts other changed fields of ports, and names with any letters", async () => {
  const odd = `${DESCRIBED}${line("5(*)")}${line("6(it's-$x)")}`;
  const { place, said } = await hostWith("exit 0", odd.replaceAll("config: 0", "config: PORT_DOWN state: LINK_DOWN").replaceAll("addr:00", "addr:02"));
  await apply(place, [{ bridge: "br0", bundle, ports: portsOf(odd) }]);
  expect(await said()).toBe(`ports br0\n--no-names br0\n${numbered}\n`);
});

test("asks for each name if the switch does not report its ports", async () => {
  const { place, said } = await hostWith("exit 0");
  await rm(join(folder, "ports"));
  await apply(place, [{ bridge: "br0", bundle, ports }]);
  expect(await said()).toBe(`ports br0\n--names br0\n${bundle.join("\n")}\n`);
});

test("reports a refusal of a bundle with names", async () => {
  const { place, said } = await hostWith("echo 'ovs-ofctl: -:2: bad' >&2; exit 1");
  await expect(apply(place, [{ bridge: "br0", bundle, ports }])).rejects.toMatchObject({
    code: "OVN_FLOW_REFUSED",
    message: `bridge "br0": flow "${bundle[1]}": bad`,
  });
  expect((await said()).match(/^--.*/gm)).toEqual(["--no-names br0", "--names br0"]);
});

test("does not run the host's command without a bundle", async () => {
  const { place, said } = await hostWith("exit 1");
  await apply(place, []);
  expect(await said()).toBe("");
});

test("compares flows by port names within the host's timeout, also if the process that started it is killed", async () => {
  const { place, said } = await hostWith("exit 0");
  await writeFile(join(folder, "ovs-ofctl"), `#!/bin/sh\n{ echo "$*"; cat; } >>${folder}/said\n`, { mode: 0o755 });
  expect(await rulesOf({ host: { ...place.host, timeout: 19.5 } }, { bridge: "br0", flows: ["priority=1,actions=drop"] })).toEqual(new Map());
  expect(await said()).toBe(
    "-O OpenFlow13,OpenFlow14 --timeout=5 get-frags br0\n-O OpenFlow13,OpenFlow14 --names --timeout=20 diff-flows br0 /dev/stdin\ncookie=0x70756c7500000000,priority=1,actions=drop\n",
  );
});
