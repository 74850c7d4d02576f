import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { failure } from "../../support/failure";
import { FlowChanges, FlowStack, Switches } from "../../support/switches";

const switches = Switches.of({ name: "flows", hosts: 1, workloads: [] });
const flows = (bridge: string) => switches.flows("node1", bridge);
const ofctl = (...args: string[]) => switches.on("node1", "ovs-ofctl", "-O", "OpenFlow14", ...args);
const urn = (name: string) => `urn:pulumi:dev::net::pulumi-nodejs:dynamic/ovn:BridgeFlows::${name}`;

beforeAll(async () => {
  await switches.bridge("node1", "br0", "p1", "p-2", "p3");
  await switches.bridge("node1", "br1", "q1");
});

/** Ports by number and by name, with a hyphen and without; actions and fields that come back in other words. */
const DESIRED = [
  "table=3,priority=7,ip,in_port=p-2,nw_dst=10.0.0.0/24,actions=mod_dl_src:00:00:00:00:00:01,dec_ttl,output:p1",
  "priority=10,tcp,tcp_dst=0x50/0xfffc actions=ct(commit,zone=5),output:p-2,p3",
  "priority=11,in_port=1,arp,arp_op=1,actions=move:NXM_OF_ETH_SRC[]->NXM_OF_ETH_DST[],load:2->NXM_OF_ARP_OP[],IN_PORT",
  "ipv6,ipv6_dst=fd00::/64,actions=resubmit(p-2,3),resubmit(,4)",
  "table=4,priority=65535,icmp6,icmp_type=135,nd_target=fd00::1,actions=set_field:00:00:00:00:00:02->eth_dst,mod_vlan_vid:5,strip_vlan,NORMAL",
  "table=5,actions=learn(table=6,priority=3,in_port=p1,NXM_OF_ETH_DST[]=NXM_OF_ETH_SRC[],output:NXM_OF_IN_PORT[]),enqueue(p1,3),output(port=p-2,max_len=90)",
  "table=6,priority=0,actions=bundle(eth_src,0,hrw,ofport,members:p1,p-2),note:01.02,goto_table:9",
  "table=7,priority=0,metadata=0x5,reg0=0x1/0xff,ct_state=+trk+new,ip,actions=conjunction(7,1/2)",
];

/** One flow of each form that the switch is expected to return unchanged. A changed form would be reported as drift. */
const PLAIN = [
  'table=20,priority=7,ip,in_port=p-2,nw_dst=10.0.0.0/24,actions=dec_ttl,set_field:00:00:00:00:00:01->eth_src,set_field:00:00:00:00:00:02->eth_dst,output:p1,output:"p-2"',
  "table=20,tcp6,ipv6_src=fd00::/64,ipv6_dst=fd01::1,tp_dst=0x50/0xfffc,ct_state=+trk+new,actions=load:0x1->NXM_NX_REG0[],load:0->NXM_NX_REG1[],load:0xffffffff->NXM_NX_REG15[],resubmit(,4)",
  "table=20,udp,nw_src=10.0.0.1,tp_src=1,reg0=0x1/0xff,metadata=0x5,dl_src=00:00:00:00:00:01,dl_dst=00:00:00:00:00:02/01:00:00:00:00:00,actions=goto_table:21",
  ...["ip", "ipv6", "arp", "icmp", "icmp6", "sctp", "tcp", "udp6"].map((protocol) => `table=22,${protocol},actions=NORMAL`),
  "table=23,actions=drop",
];

describe("BridgeFlows in a stack", () => {
  const stack = new FlowStack(switches, urn("whole"));

  it("shows its flows and its cookie in a preview, without asking the host", async () => {
    const away = new FlowStack(switches, urn("whole"), "away", { away: { command: ["/nowhere/ssh"] } });
    const { rows, cookie } = await away.check({ br0: ["priority=5,ip,actions=drop", "table=2,actions=output:nosuch"] });
    expect(rows).toEqual({ "br0 table=  0 priority=    5 ip": "actions=drop", "br0 table=  2 priority=32768": "actions=output:nosuch" });
    expect(cookie).toBe(await stack.cookie());
  });

  it("adds flows with its cookie, next to foreign flows", async () => {
    await ofctl("add-flow", "br0", "cookie=0xfff,table=9,priority=5,ip,actions=drop");
    expect(await stack.up({ br0: DESIRED, br1: ["actions=q1"] })).toBe("create");
    const cookie = await stack.cookie();
    expect(await flows("br1")).toEqual([`cookie=${cookie}, actions=output:q1`]);
    const here = await flows("br0");
    expect(here).toHaveLength(DESIRED.length + 1);
    expect(here.filter((flow) => flow.startsWith(`cookie=${cookie}, `))).toHaveLength(DESIRED.length);
    expect(here).toContain(
      `cookie=${cookie}, table=3, priority=7,ip,in_port="p-2",nw_dst=10.0.0.0/24 actions=set_field:00:00:00:00:00:01->eth_src,dec_ttl,output:p1`,
    );
    expect(here).toContain("cookie=0xfff, table=9, priority=5,ip actions=drop");
  });

  it("reports no drift of flows in usual spellings", async () => {
    const plain = new FlowStack(switches, urn("plain"));
    await plain.up({ br0: PLAIN });
    expect((await plain.refresh())!.drift).toBeUndefined();
    await plain.destroy();
  });

  it("reports no drift of flows in other spellings, and rewrites none", async () => {
    const read = await stack.refresh();
    expect(read!.drift).toBeUndefined();
    expect(read!.rows).toEqual((await stack.check({ br0: DESIRED, br1: ["actions=q1"] })).rows);
    await using changes = await FlowChanges.of(switches.sandbox, "node1", "br0");
    // Another bridge's flow makes it an update, which looks at both bridges.
    expect(await stack.up({ br0: DESIRED, br1: ["actions=q1", "ip,priority=1,actions=drop"] })).toBe("update");
    expect(await flows("br1")).toHaveLength(2);
    expect(await changes.soFar()).toEqual([]);
  });

  it("changes, adds and removes only its flows, and writes nothing for another order or spelling", async () => {
    const [first, second, ...rest] = DESIRED;
    expect(await stack.up({ br0: [...DESIRED].reverse(), br1: ["priority=1 ip actions=drop", "actions=q1"] })).toBe("same");
    expect(await stack.up({ br0: [first!.replace("output:p1", "output:p3"), ...rest, "table=8,actions=drop"], br1: [] })).toBe("update");
    const here = await flows("br0");
    const cookie = await stack.cookie();
    expect(here).toContain(
      `cookie=${cookie}, table=3, priority=7,ip,in_port="p-2",nw_dst=10.0.0.0/24 actions=set_field:00:00:00:00:00:01->eth_src,dec_ttl,output:p3`,
    );
    expect(here).toContain(`cookie=${cookie}, table=8, actions=drop`);
    expect(here.filter((flow) => flow.includes("tp_dst="))).toEqual([]);
    expect(here).toHaveLength(DESIRED.length + 1);
    expect(second).toContain("tcp_dst");
    expect(await flows("br1")).toEqual([]);
  });

  it("reports a deleted, a changed and an added flow as drift; an update repairs them", async () => {
    const wanted = {
      br0: [
        "table=1,priority=3,ip,in_port=p-2,actions=mod_dl_src:00:00:00:00:00:01,output:p1",
        "table=1,priority=4,tcp,tcp_dst=80,actions=drop",
        "table=1,actions=NORMAL",
      ],
    };
    await stack.up(wanted);
    const cookie = await stack.cookie();
    await ofctl("--strict", "del-flows", "br0", "table=1,priority=4,tcp,tp_dst=80");
    await ofctl("mod-flows", "br0", "table=1,ip,in_port=p-2,actions=drop");
    await ofctl("add-flow", "br0", `cookie=${cookie},table=10,priority=9,udp,actions=drop`);
    expect(await stack.refresh()).toEqual({
      drift: {
        "br0 table=  1 priority=    3 in_port=p-2,ip": "actions=drop instead of actions=mod_dl_src:00:00:00:00:00:01,output:p1",
        "br0 table=  1 priority=    4 tcp,tcp_dst=80": "missing",
        "br0 table= 10 priority=    9 udp": "surplus",
      },
      rows: {
        "br0 table=  1 priority=    3 in_port=p-2,ip": "actions=drop",
        "br0 table=  1 priority=32768": "actions=NORMAL",
        "br0 table= 10 priority=    9 udp": "actions=drop",
      },
    });
    expect(await stack.up(wanted)).toBe("update");
    expect((await stack.refresh())!.drift).toBeUndefined();
    expect((await flows("br0")).filter((flow) => flow.includes(cookie)).sort()).toEqual(
      [
        `cookie=${cookie}, table=1, actions=NORMAL`,
        `cookie=${cookie}, table=1, priority=3,ip,in_port="p-2" actions=set_field:00:00:00:00:00:01->eth_src,output:p1`,
        `cookie=${cookie}, table=1, priority=4,tcp,tp_dst=80 actions=drop`,
      ].sort(),
    );
  });

  it("writes changed actions of a flow, and reads no other flow while the switch's count equals the state's", async () => {
    const one = new FlowStack(switches, urn("assumed"));
    const lists = (actions: string, last = "table=31,ip,actions=drop") => ({ br1: [`table=30,ip,actions=${actions}`, "table=30,arp,actions=drop", last] });
    await one.up(lists("drop"));
    const cookie = await one.cookie();
    const now = async () => (await flows("br1")).filter((flow) => flow.includes(cookie)).map((flow) => flow.replace(`cookie=${cookie}, `, ""));
    await using changes = await FlowChanges.of(switches.sandbox, "node1", "br1");
    await one.up(lists("NORMAL"));
    expect((await changes.soFar()).map((text) => text.replace(/ *cookie=.*/, ""))).toEqual([expect.stringContaining("table=30")]);
    expect(await now()).toEqual(["table=30, arp actions=drop", "table=30, ip actions=NORMAL", "table=31, ip actions=drop"]);
    // A flow is missing, a flow is surplus, or a foreign flow has replaced a flow: in each case all flows are compared.
    await ofctl("del-flows", "br1", "table=30,arp");
    await one.up(lists("drop"));
    expect(await now()).toEqual(["table=30, arp actions=drop", "table=30, ip actions=drop", "table=31, ip actions=drop"]);
    await ofctl("add-flow", "br1", `cookie=${cookie},table=32,actions=drop`);
    await one.up(lists("NORMAL"));
    expect(await now()).toEqual(["table=30, arp actions=drop", "table=30, ip actions=NORMAL", "table=31, ip actions=drop"]);
    await ofctl("add-flow", "br1", "cookie=0xfff,table=30,ip,actions=drop");
    await expect(one.up(lists("IN_PORT"))).rejects.toMatchObject({ code: "OVN_FLOW_TAKEN" });
    await ofctl("del-flows", "br1", "cookie=0xfff/-1");
    // A flow that the switch refuses is reported as usual, and nothing changes.
    await one.up(lists("drop"));
    await expect(one.up(lists("output:nosuch"))).rejects.toMatchObject({ code: "OVN_FLOW_REFUSED", message: expect.stringContaining("nosuch") as string });
    expect(await now()).toEqual(["table=30, arp actions=drop", "table=30, ip actions=drop", "table=31, ip actions=drop"]);
    await one.destroy();
    expect(await now()).toEqual([]);
  });

  it("compares all flows if a port's number has changed, which would leave its old flow", async () => {
    const one = new FlowStack(switches, urn("renumbered"));
    await switches.on("node1", "ovs-vsctl", "--timeout=10", "add-port", "br1", "q9", "--", "set", "Interface", "q9", "type=internal", "ofport_request=50");
    await one.up({ br1: ["table=30,in_port=q9,actions=drop"] });
    await switches.on(
      "node1",
      "ovs-vsctl",
      "--timeout=10",
      "del-port",
      "q9",
      "--",
      "add-port",
      "br1",
      "spare9",
      "--",
      "set",
      "Interface",
      "spare9",
      "type=internal",
      "ofport_request=50",
    );
    await switches.on("node1", "ovs-vsctl", "--timeout=10", "add-port", "br1", "q9", "--", "set", "Interface", "q9", "type=internal", "ofport_request=51");
    await one.up({ br1: ["table=30,in_port=q9,actions=NORMAL"] });
    expect((await flows("br1")).filter((flow) => flow.includes("table=30"))).toEqual([`cookie=${await one.cookie()}, table=30, in_port=q9 actions=NORMAL`]);
    await one.destroy();
    for (const port of ["q9", "spare9"]) await switches.on("node1", "ovs-vsctl", "--timeout=10", "del-port", port);
  });

  it("leaves no flow on bridges of an interrupted update that no state names", async () => {
    const [interrupted, known] = [new FlowStack(switches, urn("swept")), new FlowStack(switches, urn("swept"))];
    await known.up({ br1: ["table=30,actions=drop"] });
    interrupted.state = known.state;
    await interrupted.up({ br1: [], br0: ["table=30,actions=drop"] });
    const others = (await flows("br0")).filter((flow) => !flow.includes("table=30"));
    await known.destroy();
    expect([await flows("br0"), (await flows("br1")).filter((flow) => flow.includes("table=30"))]).toEqual([others, []]);
  });

  it("follows a port that was created again with another number", async () => {
    await stack.up({ br0: ["in_port=p3,actions=output:p1"] });
    await switches.on(
      "node1",
      "ovs-vsctl",
      "--timeout=10",
      "del-port",
      "p3",
      "--",
      "add-port",
      "br0",
      "spare",
      "--",
      "set",
      "Interface",
      "spare",
      "type=internal",
    );
    await switches.on("node1", "ovs-vsctl", "--timeout=10", "add-port", "br0", "p3", "--", "set", "Interface", "p3", "type=internal", "ofport_request=77");
    expect((await stack.refresh())!.drift).toMatchObject({ "br0 table=  0 priority=32768 in_port=p3": "missing" });
    await stack.up({ br0: ["in_port=p3,actions=output:p1"] });
    const first = (await switches.on("node1", "ovs-vsctl", "get", "Interface", "p1", "ofport")).trim();
    expect(await ofctl("--no-names", "dump-flows", "br0", "in_port=77")).toContain(`in_port=77 actions=output:${first}\n`);
  });

  it("removes its flows from all its former bridges, and no others", async () => {
    await stack.up({ br0: ["actions=drop"], br1: ["actions=drop"] });
    await stack.up({ br1: ["actions=drop"] });
    expect(await flows("br0")).toEqual(["cookie=0xfff, table=9, priority=5,ip actions=drop"]);
    await stack.destroy();
    expect(await flows("br1")).toEqual([]);
    expect(await flows("br0")).toEqual(["cookie=0xfff, table=9, priority=5,ip actions=drop"]);
  });

  it("counts as deleted without any flow or bridge; a deletion then succeeds", async () => {
    await switches.bridge("node1", "br9");
    await stack.up({ br9: ["actions=drop"], br1: ["actions=drop"] });
    await switches.on("node1", "ovs-vsctl", "--timeout=10", "del-br", "br9");
    expect(await stack.refresh()).toEqual({
      drift: { "br9 table=  0 priority=32768": 'missing: there is no bridge "br9"' },
      rows: { "br1 table=  0 priority=32768": "actions=drop" },
    });
    await stack.destroy();
    expect(await flows("br1")).toEqual([]);
    await stack.up({ br1: ["actions=drop"] });
    await ofctl("del-flows", "br1");
    expect(await stack.refresh()).toBeUndefined();
  });

  it("shares a bridge with another resource of the same kind", async () => {
    const [one, two] = [new FlowStack(switches, urn("one")), new FlowStack(switches, urn("two"))];
    await Promise.all([one.up({ br1: ["ip,actions=drop"] }), two.up({ br1: ["arp,actions=drop"] })]);
    expect((await one.refresh())!.drift).toBeUndefined();
    await one.destroy();
    expect(await flows("br1")).toEqual([`cookie=${await two.cookie()}, arp actions=drop`]);
    await two.destroy();
  });

  it("removes a flow of an older state with two protocols, and not the one that ovs-ofctl would read from sorted fields", async () => {
    const [twins, ...kept] = ["priority=5,tcp,ip6,tp_dst=53,actions=drop", "priority=5,tcp,tp_dst=53,actions=NORMAL", "priority=4,udp,actions=drop"] as const;
    const older = new FlowStack(switches, urn("twins"));
    await older.up({ br1: kept });
    await ofctl("add-flow", "br1", `cookie=${await older.cookie()},${twins}`);
    older.state = { ...older.state!, outs: { ...older.state!.outs, bridges: [{ bridge: "br1", flows: [twins, ...kept] }] } };
    expect((await older.refresh())!.drift).toBeUndefined();
    await using changes = await FlowChanges.of(switches.sandbox, "node1", "br1");
    await older.up({ br1: kept });
    expect(await changes.soFar()).toEqual([expect.stringMatching(/^event=DELETED .*[ ,]tcp6,tp_dst=53\b/)]);
    await older.destroy();
  });

  it("shows large sets as counts, and a changed flow of them", async () => {
    const many = Array.from(
      { length: 3_000 },
      (_, index) =>
        `table=${index % 2},priority=${10 + index},ip,in_port=q1,nw_dst=10.${index >> 8}.${index & 255}.1,actions=mod_dl_src:00:00:00:00:00:01,output:q1`,
    );
    const large = new FlowStack(switches, urn("large"));
    await large.up({ br1: many });
    expect(await large.refresh()).toEqual({
      drift: undefined,
      rows: {
        "br1 table=  0": expect.stringMatching(/^1500 flows, digest /) as string,
        "br1 table=  1": expect.stringMatching(/^1500 flows, digest /) as string,
      },
    });
    await ofctl("del-flows", "br1", "table=1,ip,nw_dst=10.0.1.1");
    expect((await large.refresh())!.drift).toEqual({ "br1 table=  1 priority=   11 in_port=q1,ip,nw_dst=10.0.1.1": "missing" });
    await large.destroy();
    expect(await flows("br1")).toEqual([]);
  });

  describe("mostly in a dump's usual spellings", () => {
    const usual = (actions: string) =>
      Array.from(
        { length: 1_200 },
        (_, index) =>
          `table=${40 + (index % 2)},priority=${10 + index},tcp,in_port=q1,reg0=${index},nw_dst=10.${index >> 8}.${index & 255}.0/24,tp_dst=${index},actions=dec_ttl,mod_dl_dst:00:00:00:00:00:01,load:${index}->NXM_NX_REG1[],${actions}`,
      );
    const label = (index: number) =>
      `br1 table= ${40 + (index % 2)} priority=${String(10 + index).padStart(5)} in_port=q1,nw_dst=10.${index >> 8}.${index & 255}.0/24,reg0=${index},tcp,tp_dst=${index}`;
    const large = new FlowStack(switches, urn("dumped"));
    const others = "cookie=0xfff,table=42,idle_timeout=1000,ip,actions=drop";

    it("finds no difference in other spellings, and rewrites none", async () => {
      await ofctl("add-flow", "br1", others);
      await large.up({ br1: usual("output:q1") });
      expect((await large.refresh())!.drift).toBeUndefined();
      await using changes = await FlowChanges.of(switches.sandbox, "node1", "br1");
      await large.up({ br1: [...usual("output:q1"), "table=43,udp,actions=drop"] });
      expect((await changes.soFar()).map((text) => text.replace(/ *cookie=.*/, ""))).toEqual([expect.stringContaining("table=43")]);
      await large.up({ br1: usual("output:q1") });
    });

    it("names changed, missing and surplus flows, and repairs only these", async () => {
      const cookie = await large.cookie();
      await ofctl("mod-flows", "br1", "table=40,tcp,reg0=0,actions=drop");
      await ofctl("del-flows", "br1", "table=41,tcp,reg0=1");
      await ofctl("add-flow", "br1", `cookie=${cookie},table=44,udp,actions=drop`);
      expect((await large.refresh())!.drift).toEqual({
        [label(0)]: "actions=drop instead of actions=dec_ttl,mod_dl_dst:00:00:00:00:00:01,load:0->NXM_NX_REG1[],output:q1",
        [label(1)]: "missing",
        "br1 table= 44 priority=32768 udp": "surplus",
      });
      await using changes = await FlowChanges.of(switches.sandbox, "node1", "br1");
      await large.up({ br1: usual("output:q1") });
      expect((await changes.soFar()).map((text) => /table=(\d+)/.exec(text)![1]).sort()).toEqual(["40", "41", "44"]);
      expect((await large.refresh())!.drift).toBeUndefined();
    });

    it("shows names of ports, and follows a port with a new number", async () => {
      const cookie = await large.cookie();
      const ports = (...args: string[]) => switches.on("node1", "ovs-vsctl", "--timeout=10", ...args);
      const add = (port: string, number: number) => ports("add-port", "br1", port, "--", "set", "Interface", port, "type=internal", `ofport_request=${number}`);
      await add("q7", 70);
      const wanted = [...usual("output:q1"), "table=48,in_port=q7,actions=output:q7", "table=48,ip,in_port=br1,actions=drop"];
      await large.up({ br1: wanted });
      expect((await large.refresh())!.drift).toBeUndefined();
      await ofctl("add-flow", "br1", `cookie=${cookie},table=44,in_port=q7,udp,actions=output:q7`);
      await ofctl("mod-flows", "br1", "table=48,in_port=q7,actions=output:q1");
      const drift = {
        "br1 table= 44 priority=32768 in_port=q7,udp": "surplus",
        "br1 table= 48 priority=32768 in_port=q7": "actions=output:q1 instead of actions=output:q7",
      };
      expect((await large.refresh())!.drift).toEqual(drift);
      // Flows with an unusual spelling are reported in the spelling of ovs-ofctl.
      await ofctl("add-flow", "br1", `cookie=${cookie},table=44,in_port=LOCAL,udp,actions=drop`);
      expect((await large.refresh())!.drift).toEqual({ ...drift, "br1 table= 44 priority=32768 in_port=LOCAL,udp": "surplus" });
      await ofctl("del-flows", "br1", "table=44,in_port=LOCAL");
      await ofctl("add-flow", "br1", `cookie=${cookie},table=44,arp,actions=resubmit(q7,3),LOCAL`);
      expect(await large.refresh()).toMatchObject({ drift: { ...drift, "br1 table= 44 priority=32768 arp": "surplus" } });
      await large.up({ br1: wanted });
      expect((await large.refresh())!.drift).toBeUndefined();
      await ports("del-port", "q7");
      await add("q7", 71);
      expect((await large.refresh())!.drift).toMatchObject({ "br1 table= 48 priority=32768 in_port=q7": "missing" });
      await large.up({ br1: wanted });
      expect((await large.refresh())!.drift).toBeUndefined();
      expect(await ofctl("--no-names", "dump-flows", "br1", "table=48,in_port=71")).toContain("in_port=71 actions=output:71\n");
      await large.up({ br1: usual("output:q1") });
      await ports("del-port", "q7");
    });

    it("writes port numbers, and names if a port was renumbered or deleted between dump and bundle", async () => {
      const folder = mkdtempSync(join(tmpdir(), "renumbered-"));
      const before = join(folder, "before");
      const ports = (...args: string[]) => ["ovs-vsctl", "--timeout=10", ...args];
      const add = (number: number) => ports("add-port", "br1", "q8", "--", "set", "Interface", "q8", "type=internal", `ofport_request=${number}`);
      const script =
        'while IFS= read -r line; do printf "%s\\n" "$line" >>"$0.said"; case $line in *--bundle*) sh "$0" >&2; : >"$0";; esac; printf "%s\\n" "$line"; done | "$@"';
      const { command } = switches.targets().host("node1");
      const slow = new FlowStack(switches, urn("renumbered"), "slow", { slow: { command: [...command!, "sh", "-c", script, before] } });
      const flow = ["table=49,udp,actions=output:q8", "table=49,tcp,actions=drop"];
      const many = usual("output:q1").map((text) => text.replace(/^table=4/, "table=14"));
      /** After drift; what happens before the bundle, and which bundles are then tried. */
      const mended = async (meanwhile: readonly string[]) => {
        await ofctl("del-flows", "br1", "table=49,udp");
        await slow.refresh();
        writeFileSync(before, meanwhile.join(" "));
        writeFileSync(`${before}.said`, "");
        await slow.up({ br1: [...many, ...flow] });
        return readFileSync(`${before}.said`, "utf8").match(/--(no-)?names(?= --timeout=\d+ --bundle)/g);
      };
      const output = async () => /udp actions=output:(.*)/.exec(await ofctl("--no-names", "dump-flows", "br1", "table=49,udp"))?.[1];
      await switches.on("node1", ...add(80));
      await slow.up({ br1: [...many, ...flow] });
      expect([await mended(["true"]), await output()]).toEqual([["--no-names"], "80"]);
      expect([await mended([...ports("del-port", "q8"), "&&", ...add(90)]), await output()]).toEqual([["--no-names", "--names"], "90"]);
      expect(await failure(mended(ports("del-port", "q8")))).toMatchObject({ code: "OVN_FLOW_REFUSED" });
      expect(await output()).toBeUndefined();
      await slow.destroy();
      rmSync(folder, { recursive: true });
    });

    it("asks ovs-ofctl about unusual spellings, flows with a timeout, and more than a few missing flows", async () => {
      const cookie = await large.cookie();
      const other = usual("output:q1").map((text, index) => (index === 5 ? text.replace("nw_dst=10.0.5.0/24", "nw_dst=10.0.5.9/24") : text));
      await large.up({ br1: other });
      expect((await large.refresh())!.drift).toBeUndefined();
      await ofctl("add-flow", "br1", `cookie=${cookie},table=44,idle_timeout=1000,udp,actions=drop`);
      expect((await large.refresh())!.drift).toEqual({ "br1 table= 44 priority=32768 udp": "surplus" });
      await large.up({ br1: other });
      await ofctl("del-flows", "br1", "table=40,tcp,reg0=0/0xff00,in_port=q1");
      expect(Object.values((await large.refresh())!.drift as object)).toHaveLength(20);
      await large.up({ br1: other });
      expect((await large.refresh())!.drift).toBeUndefined();
    });

    it("asks ovs-ofctl about an output to a register, which the switch prints differently", async () => {
      const register = [...usual("output:q1"), "table=46,udp,actions=output:reg1"];
      await large.up({ br1: register });
      expect((await large.refresh())!.drift).toBeUndefined();
      await using changes = await FlowChanges.of(switches.sandbox, "node1", "br1");
      await large.up({ br1: [...register, "table=43,udp,actions=drop"] });
      expect((await changes.soFar()).map((text) => text.replace(/ *cookie=.*/, ""))).toEqual([expect.stringContaining("table=43")]);
    });

    it("refuses a flow with two protocols, and compares one of an older state by its meaning", async () => {
      const twins = "table=47,tcp,ipv6,tp_dst=80,actions=drop";
      await large.up({ br1: usual("output:q1") });
      await expect(large.up({ br1: [...usual("output:q1"), twins] })).rejects.toThrow(
        'bridges[0].flows[1200]: "ipv6" and "tcp" both name the protocol: name the one that is meant, such as tcp6 [duplicate]',
      );
      await ofctl("add-flow", "br1", `cookie=${await large.cookie()},${twins}`);
      expect((await flows("br1")).filter((flow) => flow.includes("table=47"))).toEqual([
        `cookie=${await large.cookie()}, table=47, tcp6,tp_dst=80 actions=drop`,
      ]);
      const { inputs, outs } = large.state!;
      const older = new FlowStack(switches, large.owner);
      older.state = { inputs, outs: { ...outs, bridges: [{ bridge: "br1", flows: [...usual("output:q1"), twins] }] } };
      expect((await older.refresh())!.drift).toBeUndefined();
      expect((await large.refresh())!.drift).toEqual({ "br1 table= 47 priority=32768 tcp6,tp_dst=80": "surplus" });
      await large.up({ br1: usual("output:q1") });
      expect((await flows("br1")).filter((flow) => flow.includes("table=47"))).toEqual([]);
    });

    it("refuses the match and priority of another writer's flow, in any spelling", async () => {
      await expect(large.up({ br1: [...usual("output:q1"), "table=42,ip,actions=drop"] })).rejects.toMatchObject({ code: "OVN_FLOW_TAKEN" });
      await ofctl("add-flow", "br1", "cookie=0xfff,table=45,tcp,actions=drop");
      await expect(large.up({ br1: [...usual("output:q1"), "table=45,tcp,actions=drop"] })).rejects.toMatchObject({
        code: "OVN_FLOW_TAKEN",
        message: expect.stringContaining("cookie 0xfff") as string,
      });
      await large.destroy();
      expect(await flows("br1")).toEqual(["cookie=0xfff, table=42, idle_timeout=1000, ip actions=drop", "cookie=0xfff, table=45, tcp actions=drop"]);
      await ofctl("del-flows", "br1", "cookie=0xfff/-1");
    });
  });
});
