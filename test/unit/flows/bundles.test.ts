import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { portsOf } from "../../../provider/flows/ports";
import { apply } from "../../../provider/flows/switch";

let folder: string;
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), "bundles-"))));
afterEach(() => rm(folder, { recursive: true }));

/** A host whose ovs-ofctl keeps what it is given, and ends as it is told. */
async function hostWith(end: string) {
  const said = join(folder, "said");
  await writeFile(said, "");
  await writeFile(join(folder, "ovs-ofctl"), `#!/bin/sh\n{ echo "$3 $7"; cat; } >>${said}\n${end}\n`, { mode: 0o755 });
  await writeFile(join(folder, "ovs-vsctl"), "#!/bin/sh\nexit 0\n", { mode: 0o755 });
  return { place: { host: { command: ["env", `PATH=${folder}:${process.env["PATH"]}`] } }, said: () => readFile(said, "utf8") };
}

const ports = portsOf(" 1(p1): addr:00:00:00:00:00:01\n 2(p2): addr:00:00:00:00:00:02\n");
const bundle = ["delete_strict table=1,in_port=p1 cookie=0xa/-1", "add table=2,ip cookie=0xa actions=output:p2"];
const numbered = bundle.join("\n").replace("p1", "1").replace("p2", "2");

test("a bundle of flows whose ports have known numbers is written with these, without a question for names", async () => {
  const { place, said } = await hostWith("exit 0");
  await apply(place, [
    { bridge: "br0", bundle, ports },
    { bridge: "br1", bundle: ["add in_port=p3 cookie=0xa actions=output:p1"], ports },
    { bridge: "br2", bundle },
  ]);
  expect(await said()).toBe(`--no-names br0\n${numbered}\n--names br1\nadd in_port=p3 cookie=0xa actions=output:p1\n--names br2\n${bundle.join("\n")}\n`);
});

test("one that is refused with numbers is written with names, and those after it: ports may have got others, and errors are to have names", async () => {
  const { place, said } = await hostWith('[ "$3 $7" != "--no-names br1" ]');
  await apply(
    place,
    ["br0", "br1", "br2"].map((bridge) => ({ bridge, bundle, ports })),
  );
  const text = bundle.join("\n");
  expect(await said()).toBe(`--no-names br0\n${numbered}\n--no-names br1\n${numbered}\n--names br1\n${text}\n--names br2\n${text}\n`);
});

test("one that is refused with names, too, is told with them", async () => {
  const { place, said } = await hostWith("echo 'ovs-ofctl: -:2: bad' >&2; exit 1");
  await expect(apply(place, [{ bridge: "br0", bundle, ports }])).rejects.toMatchObject({
    code: "OVN_FLOW_REFUSED",
    message: `bridge "br0": flow "${bundle[1]}": bad`,
  });
  expect((await said()).match(/^--.*/gm)).toEqual(["--no-names br0", "--names br0"]);
});
