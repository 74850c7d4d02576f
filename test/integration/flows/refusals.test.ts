import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bridgeFlows } from "@pulumi-ovn/provider";
import { type Host, targetsOf } from "@pulumi-ovn/provider/targets";
import { FlowBackend } from "@pulumi-ovn/provider/testing";
import { FlowStack, Switches } from "../../support/switches";
import { processesNaming } from "../../support/sandbox-runs";

const switches = Switches.of({ name: "refusals", hosts: 1, workloads: [] });
const folder = mkdtempSync(join(tmpdir(), "flows-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const urn = "urn:pulumi:dev::net::pulumi-nodejs:dynamic/ovn:BridgeFlows::mine";
const flows = async (bridge: string) =>
  (await switches.flows("node1", bridge))
    .map((flow) => flow.replace(/^cookie=(0x[0-9a-f]+), /, (_all, cookie: string) => (cookie === own ? "" : `${cookie}: `)))
    .sort();
const both = async () => [await flows("br0"), await flows("br1")];
let own: string;
let run: readonly string[];

beforeAll(async () => {
  await switches.bridge("node1", "br0", "p1");
  await switches.bridge("node1", "br1", "q1");
  run = switches.sandbox.targets.hosts["node1"]!.command;
  own = await new FlowStack(switches, urn).cookie();
});
afterEach(async () => {
  for (const bridge of ["br0", "br1"]) await switches.on("node1", "ovs-ofctl", "del-flows", bridge);
});

/** A stack with its own host, in addition to the host of the sandbox. */
const through = (host: Host) => new FlowStack(switches, urn, "odd", { odd: host });

/** A program in front of another one, as a script. */
function program(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, 0o755);
  return path;
}

/** The sandbox's host with a program instead of its ovs-ofctl. `real "$@"` runs the host's own. */
function instead(text: string, name = "ovs-ofctl"): Host {
  const place = mkdtempSync(join(folder, "path-"));
  writeFileSync(join(place, name), `#!/bin/sh\ncd ${place}\nreal() { PATH="\${PATH#${place}:}" ${name} "$@"; }\n${text}\n`);
  chmodSync(join(place, name), 0o755);
  return { command: [...run, "sh", "-c", `PATH="${place}:$PATH" exec "$@"`, "sh"] };
}

describe("refused flows", () => {
  it("names a flow of another cookie with the same match, and changes no bridge", async () => {
    await switches.on("node1", "ovs-ofctl", "add-flow", "br1", "cookie=0xfff,table=2,priority=5,tcp,tp_dst=80,actions=drop");
    const before = await both();
    const stack = new FlowStack(switches, urn);
    await expect(stack.up({ br0: ["actions=drop"], br1: ["table=2,priority=5,tcp,tcp_dst=80,actions=NORMAL"] })).rejects.toThrow(
      'OVN_FLOW_TAKEN: BridgeFlows "mine" in host "node1" ("' +
        run[0] +
        '"): bridge "br1": a flow "table=2 priority=5,tcp,tp_dst=80" is there already, with cookie 0xfff, which is not this resource\'s; remove it, or choose another priority',
    );
    expect(await both()).toEqual(before);
    // A flow without a cookie belongs to another writer too, even if its actions are the same.
    await switches.on("node1", "ovs-ofctl", "add-flow", "br1", "table=2,priority=6,actions=drop");
    await expect(stack.up({ br1: ["table=2,priority=6,actions=drop"] })).rejects.toMatchObject({
      code: "OVN_FLOW_TAKEN",
      message: expect.stringContaining('a flow "table=2 priority=6" is there already, with cookie 0x0') as string,
    });
    await stack.up({ br1: ["table=2,priority=7,tcp,tcp_dst=80,actions=NORMAL"] });
    expect(await flows("br1")).toEqual([
      "0xfff: table=2, priority=5,tcp,tp_dst=80 actions=drop",
      "table=2, priority=6 actions=drop",
      "table=2, priority=7,tcp,tp_dst=80 actions=NORMAL",
    ]);
  });

  it("reports its own flow that another writer overwrote as drift, then refuses", async () => {
    const stack = new FlowStack(switches, urn);
    await stack.up({ br0: ["ip,actions=drop", "arp,actions=drop"] });
    await switches.on("node1", "ovs-ofctl", "add-flow", "br0", "cookie=0xfff,ip,actions=drop");
    expect((await stack.refresh())!.drift).toEqual({ "br0 table=  0 priority=32768 ip": "missing: the flow of cookie 0xfff has its place" });
    await expect(stack.up({ br0: ["ip,actions=drop", "arp,actions=drop"] })).rejects.toMatchObject({ code: "OVN_FLOW_TAKEN" });
    await stack.destroy();
    expect(await flows("br0")).toEqual(["0xfff: ip actions=drop"]);
  });

  it.each([
    ["a port that does not exist", "ip,actions=output:nosuch", "nosuch: output to unknown port"],
    ["a field that does not exist", "ip,nosuch=3,actions=drop", "unknown"],
    ["actions that do not parse", "ip,actions=output(port=1", "output"],
    ["a table that does not exist", "table=300,actions=drop", "unknown table"],
    [
      "a match that lacks its protocol",
      "priority=9,tcp_dst=80,actions=drop",
      'the switch would match "priority=9" instead: a field lacks the protocol that it belongs to, such as tcp for tcp_dst',
    ],
    ["an action that needs another match", "ip,priority=9,actions=mod_tp_dst:5", "no usable protocol"],
    ["a group that does not exist", "ip,priority=9,actions=group:5", "the switch answers OFPBAC_BAD_OUT_GROUP"],
  ])("names only the refused flow, and leaves its bridge unchanged: %s", async (_what, flow, why) => {
    const stack = new FlowStack(switches, urn);
    await stack.up({ br0: ["arp,actions=drop"] });
    const others = Array.from({ length: 40 }, (_, index) => `table=3,priority=${index},ip,nw_dst=10.0.0.${index},actions=drop`);
    const failure: unknown = await stack.up({ br0: [...others.slice(0, 23), flow, ...others.slice(23)] }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: "OVN_FLOW_REFUSED", message: expect.stringContaining('bridge "br0": flow "') as string });
    const { message } = failure as Error;
    expect(message).toContain(why);
    // In the switch's own words, or the author's.
    expect(message).toMatch(/nosuch|output\(port|table=300|mod_tp_dst:5|tp_dst=80|group:5/);
    expect(message).not.toContain("10.0.0.");
    expect(message.length).toBeLessThan(400);
    expect(await flows("br0")).toEqual(["arp actions=drop"]);
  });

  it("leaves earlier bridges changed if the switch refuses one; the next run does the rest", async () => {
    const stack = new FlowStack(switches, urn);
    await expect(stack.up({ br0: ["actions=drop"], br1: ["ip,actions=drop", "actions=group:5"] })).rejects.toMatchObject({ code: "OVN_FLOW_REFUSED" });
    expect(await both()).toEqual([["actions=drop"], []]);
    await stack.up({ br0: ["actions=drop"], br1: ["ip,actions=drop"] });
    expect(await both()).toEqual([["actions=drop"], ["ip actions=drop"]]);
  });

  it("fails a destroy that can't remove flows of a bridge that no state names; the next one removes them", async () => {
    const host = instead('case " $* " in *" del-flows br1 "*) echo "ovs-ofctl: br1: no permission" >&2; exit 1;; esac\nreal "$@"');
    const swept = (name: string, hosts = {}) => new FlowStack(switches, `${urn}-swept`, name, hosts);
    const [known, interrupted] = [swept("odd", { odd: host }), swept("odd", { odd: host })];
    await known.up({ br0: ["table=30,actions=drop"] });
    interrupted.state = known.state;
    await interrupted.up({ br0: ["table=30,actions=drop"], br1: ["table=30,actions=drop"] });
    const { state } = known;
    await expect(known.destroy()).rejects.toThrow(
      /^OVN_BRIDGE_UNREACHABLE: BridgeFlows "mine-swept" in host "odd" .*: bridge "br1" does not answer: br1: no permission; /,
    );
    expect(await both()).toEqual([[], [expect.stringMatching(/: table=30, actions=drop$/)]]);
    const next = swept("node1");
    next.state = { inputs: { ...state!.inputs, host: "node1" }, outs: { ...state!.outs, host: "node1" } };
    await next.destroy();
    expect(await both()).toEqual([[], []]);
  });

  it("refuses a timeout above any timer's limit", async () => {
    const stack = through(targetsOf({ hosts: { odd: { command: [...run], timeout: 3_000_000 } } }, "targets.yaml").hosts["odd"]!);
    expect(await stack.up({ br0: ["actions=drop"] })).toBe("create");
    await stack.destroy();
  });

  it("reports a missing bridge, and changes no other", async () => {
    const stack = new FlowStack(switches, urn);
    await expect(stack.up({ br0: ["actions=drop"], "br-none": ["actions=drop"] })).rejects.toThrow(
      /^OVN_BRIDGE_MISSING: .*: there is no bridge "br-none"; make it before the flows, or correct its name$/,
    );
    expect(await both()).toEqual([[], []]);
    await expect(stack.up({ "br-none": [] })).resolves.toBe("create");
  });

  it("reports an unknown host in a preview", async () => {
    await expect(new FlowStack(switches, urn, "node7").check({ br0: ["actions=drop"] })).rejects.toThrow(
      'host: host "node7" is not configured; the targets have node1; did you mean "node1"? [host]',
    );
  });

  it("refuses an invalid bridge name, and an empty list of bridges", async () => {
    await expect(new FlowStack(switches, urn).check({ "tcp:192.0.2.1:6653": [] })).rejects.toThrow("bridges[0].bridge");
    await expect(new FlowStack(switches, urn).check({})).rejects.toThrow("bridges: needs at least one bridge");
  });
});

describe("an unreachable host", () => {
  const up = (host: Host) => through(host).up({ br0: ["actions=drop"] });

  it("reports a command that ends immediately by its last output, without its arguments", async () => {
    const ssh = program("ssh", 'echo "ssh: $2 and $3 refused: no route to host" >&2; exit 255');
    await expect(up({ command: [ssh, "-x", "s3cret", "--password=s4cret"] })).rejects.toThrow(
      `OVN_HOST_UNREACHABLE: BridgeFlows "mine" in host "odd" ("${ssh} ..."): "${ssh} ..." ended with status 255 before a shell began: ssh: ... and ... refused: no route to host`,
    );
  });

  it("reports a missing command", async () => {
    await expect(up({ command: ["/nowhere/ssh", "s3cret"] })).rejects.toThrow(
      'OVN_HOST_COMMAND: BridgeFlows "mine" in host "odd" ("/nowhere/ssh ..."): "/nowhere/ssh ..." can\'t be run: ENOENT; correct "command" of the host in the file of targets',
    );
  });

  it("reports a host without ovs-ofctl", async () => {
    const empty = mkdtempSync(join(folder, "empty-"));
    symlinkSync("/bin/sh", join(empty, "sh"));
    await expect(up({ command: ["/usr/bin/env", "-i", `PATH=${empty}`] })).rejects.toThrow(
      /OVN_HOST_COMMAND: .*: there is no ovs-ofctl where "\/usr\/bin\/env \.\.\." leads to; install/,
    );
  });

  it("asks again, then reports a host whose database does not show whether an apply is pending", async () => {
    await expect(up(instead('case "$*" in *pulumi-ovn:apply*) echo no database >&2; exit 1 ;; *) real "$@" ;; esac', "ovs-vsctl"))).rejects.toThrow(
      /OVN_HOST_UNREACHABLE: .*: ovs-vsctl on the host ended with status 1, so an apply may be pending there: no database; see that ovsdb-server runs/,
    );
    expect(await flows("br0")).toEqual([]);
    expect(await up(instead('[ -e once ] || { : > once; exit 1; }\nreal "$@"', "ovs-vsctl"))).toBe("create");
  });

  it.each([
    ["read", (stack: FlowStack) => stack.refresh()],
    ["updated", (stack: FlowStack) => stack.up({ br0: ["actions=NORMAL"] })],
    ["removed", (stack: FlowStack) => stack.destroy()],
  ])("asks a hanging switch one short question when flows are %s, and does not wait for the host's timeout", async (_how, work) => {
    const place = mkdtempSync(join(folder, "hung-"));
    const [hung, asked] = ["hung", "asked"].map((name) => join(place, name));
    // As --timeout of ovs-ofctl(8) ends it.
    const stack = through(instead(`[ ! -e ${hung} ] || { echo "$*" >> ${asked}; kill -ALRM $$; }\nreal "$@"`));
    await stack.up({ br0: ["actions=drop"] });
    writeFileSync(hung!, "");
    await expect(work(stack)).rejects.toThrow(/OVN_BRIDGE_UNREACHABLE: .*bridge "br0" did not answer within 5 s: ovs-vswitchd hangs or is overloaded/);
    expect(readFileSync(asked!, "utf8")).toBe("-O OpenFlow13,OpenFlow14 --timeout=5 get-frags br0\n");
  });

  it("ends a hanging command with all its processes", async () => {
    const marker = join(folder, "hanging");
    const hanging = program("hanging", `echo begun > ${folder}/begun; trap '' TERM; sh -c 'trap "" TERM; while :; do sleep 1000; done' ${marker} & wait`);
    await expect(up({ command: [hanging], timeout: 1 })).rejects.toThrow(
      /OVN_HOST_UNREACHABLE: .* did not end within 1 s \("timeout" of the host\): the way to the host, or a program there, does not answer; see that/,
    );
    expect(readFileSync(join(folder, "begun"), "utf8")).toBe("begun\n");
    await expectGone(marker);
  });

  it("ends a command with all its processes on a signal", async () => {
    const marker = join(folder, "stopped");
    const stopped = program("stopped", `sh -c 'while :; do sleep 1000; done' ${marker} & echo begun > ${folder}/stopped-begun; wait`);
    const controller = new AbortController();
    const subject = { urn, properties: { host: "odd" }, targets: switches.targets({ odd: { command: [stopped] } }), signal: controller.signal };
    const desired = bridgeFlows.render({ host: "odd", bridges: [{ bridge: "br0", flows: ["actions=drop"] }] });
    const ensuring = new FlowBackend().ensure(subject, desired);
    while (!existsSync(join(folder, "stopped-begun"))) await new Promise((resolve) => setTimeout(resolve, 10));
    controller.abort();
    await expect(ensuring).rejects.toMatchObject({ code: "OVN_HOST_ABORTED" });
    await expectGone(marker);
    await expect(new FlowBackend().ensure(subject, desired)).rejects.toMatchObject({ code: "OVN_HOST_ABORTED" });
  });

  it("reports a dead daemon; its flows are deleted when it is back", async () => {
    const stack = new FlowStack(switches, urn);
    await stack.up({ br0: ["actions=drop"] });
    await switches.sandbox.killDaemon("node1", "ovs-vswitchd");
    try {
      await expect(stack.refresh()).rejects.toThrow(/OVN_BRIDGE_UNREACHABLE: .*: bridge "br0" does not answer: .*; is ovs-vswitchd running/);
      await expect(stack.up({ br0: ["ip,actions=drop"] })).rejects.toMatchObject({ code: "OVN_BRIDGE_UNREACHABLE" });
      await expect(stack.destroy()).rejects.toMatchObject({ code: "OVN_BRIDGE_UNREACHABLE" });
    } finally {
      await switches.sandbox.startDaemon("node1", "ovs-vswitchd");
    }
    expect(await stack.refresh()).toBeUndefined();
    await stack.up({ br0: ["ip,actions=drop"] });
    expect(await flows("br0")).toEqual(["ip actions=drop"]);
  });

  it("keeps the command out of the state", async () => {
    const stack = through({ command: [...run, "env", "TOKEN=s3cret"] });
    await stack.up({ br0: ["actions=drop"] });
    const state = JSON.stringify(stack.state);
    expect(state).toContain(own);
    expect(state).not.toMatch(/s3cret|TOKEN|\/run/);
    await stack.destroy();
  });
});

describe("the host's command", () => {
  it("may pass through a shell that joins words, as ssh does", async () => {
    const ssh = program("joining", `shift; exec sh -c "${run.join(" ")} $*"`);
    const stack = through({ command: [ssh, "host1"] });
    await stack.up({ br0: ["in_port=p1,ip,nw_dst=10.0.0.0/8,actions=set_field:00:00:00:00:00:01->eth_src,output(port=p1,max_len=70)"] });
    expect(await flows("br0")).toEqual(["ip,in_port=p1,nw_dst=10.0.0.0/8 actions=set_field:00:00:00:00:00:01->eth_src,output(port=p1,max_len=70)"]);
    await stack.destroy();
    expect(await flows("br0")).toEqual([]);
  });

  it("may print other text before the script, and keep its output open after the end", async () => {
    const chatty = program("chatty", `echo Welcome; echo "pulumi-ovn 0" >&2; (setsid sleep 3 &) ; exec ${run.join(" ")} "$@"`);
    const stack = through({ command: [chatty], timeout: 20 });
    await stack.up({ br0: ["actions=drop"] });
    expect((await stack.refresh())!.drift).toBeUndefined();
    await stack.destroy();
  });
});

describe("the order of bridges", () => {
  const logged = (): { readonly host: Host; readonly log: () => string[] } => {
    const log = join(mkdtempSync(join(folder, "log-")), "log");
    writeFileSync(log, "");
    const host = instead(
      `case "$*" in *add-flows*|*del-flows*) echo "$*" | sed 's/.*\\(add-flows\\|del-flows\\) \\([^ ]*\\).*/\\1 \\2/' >> ${log};; esac; real "$@"`,
    );
    return { host, log: () => readFileSync(log, "utf8").split("\n").filter(Boolean) };
  };

  it("equals the set's order for additions, and is reversed for removals", async () => {
    const { host, log } = logged();
    const stack = through(host);
    await stack.up({ br1: ["actions=drop"], br0: ["ip,actions=drop", "arp,actions=drop"] });
    expect(log()).toEqual(["add-flows br1", "add-flows br0"]);
    // br1 loses and gains, br0 only loses.
    await stack.up({ br1: ["ip,actions=drop"], br0: ["ip,actions=drop"] });
    expect(log().slice(2)).toEqual(["add-flows br0", "add-flows br1"]);
    await stack.up({ br1: [], br0: [] });
    expect(log().slice(4)).toEqual(["add-flows br0", "add-flows br1"]);
    await stack.up({ br1: ["ip,actions=drop"], br0: ["ip,actions=drop"] });
    await stack.destroy();
    expect(log().slice(8)).toEqual(["del-flows br0", "del-flows br1"]);
    expect(await both()).toEqual([[], []]);
  });

  it("lets the next run complete a run that was killed between two bridges", async () => {
    const host = instead('case "$*" in *"add-flows br1"*) if [ ! -e killed ]; then : > killed; kill -9 $PPID; exit 1; fi;; esac; real "$@"');
    const stack = through(host);
    const wanted = { br0: ["actions=drop"], br1: ["actions=drop"] };
    await expect(stack.up(wanted)).rejects.toMatchObject({
      code: "OVN_HOST_UNREACHABLE",
      message: expect.stringContaining("before its work was done") as string,
    });
    expect(await both()).toEqual([["actions=drop"], []]);
    await stack.up(wanted);
    expect(await both()).toEqual([["actions=drop"], ["actions=drop"]]);
    await stack.destroy();
  });

  it("waits for a bridge or port that the switch is still creating", async () => {
    const late =
      'case "$*" in *diff-flows*) if [ ! -e asked ]; then : > asked; cat > /dev/null; echo "ovs-ofctl: br0 is not a bridge or a socket" >&2; exit 1; fi;; esac; real "$@"';
    const stack = through(instead(late));
    await stack.up({ br0: ["actions=drop"] });
    expect(await flows("br0")).toEqual(["actions=drop"]);
  });
});

async function expectGone(marker: string): Promise<void> {
  // SIGKILL was sent or follows within half a second; only the kernel is waited for.
  while (processesNaming(marker).length > 0) await new Promise((resolve) => setTimeout(resolve, 20));
}
