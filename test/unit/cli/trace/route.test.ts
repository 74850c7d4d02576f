import { type Packet, type Route, routeOf, sentenceOf, stateIn, type TraceQuestion as Question, vpcsIn } from "@pulumi-ovn/cli/testing";
import { vpcState } from "../../../support/vpc-state";
import { changed } from "../../vpc/sample";
import { cookieOf, printed, tunnelTo } from "./samples";

// w1 of tier web is on h1, d2 of tier db on h2. d3 of tier db and the virtual router are on h3.
const [vpc] = vpcsIn(
  stateIn(
    JSON.stringify(
      vpcState(
        changed((args) => {
          args.virtualRouter.ports!["db"] = "vr-db";
          args.workloads!["d3"]!.port = "tap3";
        }),
      ),
    ),
    "it",
  ),
);
const packet: Packet = { family: 4, source: "10.1.1.11", destination: "10.1.2.12", protocol: "tcp", port: 80 };
const [W1, D2, D3] = ["0a:00:00:00:01:01", "0a:00:00:00:02:02", "0a:00:00:00:02:03"];
const [GATEWAY_WEB, GATEWAY_DB] = ["0a:58:0a:01:01:01", "0a:58:0a:01:02:01"];
const own = cookieOf("LogicalRouterBridge", "h1");

/** Follows a packet over hosts that answer in this order; what they were asked. */
async function asked(
  answers: readonly (string | Error)[],
  change: Partial<Packet> = {},
  of = vpc,
): Promise<{ route: Route; asked: string[]; sentence: string }> {
  const questions: string[] = [];
  const question: Question = { vpc: of as Question["vpc"], from: "w1", port: "tap1", packet: { ...packet, ...change } };
  const route = await routeOf(question, (host, bridge, flow) => {
    questions.push(`${host} ${bridge} ${flow.replace(/,tcp,.*?nw_ttl=(\d+).*/, " ttl=$1")}`);
    const answer = answers[questions.length - 1]!;
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  });
  return { route, asked: questions, sentence: sentenceOf(route, "w1", question.packet) };
}

/** Lines of a logical router's tables after conntrack. The switch prints them under the first bridge's name. */
const routing = (priorities: { egress: number; ingress?: number; output?: boolean }) => [
  { table: 3, priority: 0, cookie: own },
  { table: 4, match: "in_port=pr1001", priority: priorities.egress, cookie: own },
  ...(priorities.ingress === undefined ? [] : [{ table: 5, match: "reg0=0x3ea", priority: priorities.ingress, cookie: own }]),
  ...(priorities.output ? [{ table: 6, match: "reg0=0x3ea", priority: 100, cookie: own }] : []),
];
const routed = (rules: { egress: number; ingress: number }, actions: string) =>
  printed([
    {
      bridges: [
        ["br-t1001", [{ table: 2, priority: 100, cookie: own }]],
        ["lr-blue", [{ table: 1, priority: 100, cookie: own }]],
      ],
      actions: `set(eth(src=0e:00:00:00:00:01,dst=${D2})),set(ipv4(ttl=63)),ct(zone=5),recirc(0x3)`,
    },
    {
      bridges: [
        ["br-t1001", routing({ ...rules, output: true })],
        ["br-t1002", [{ table: 0, priority: 200, cookie: own }]],
        ["br-phy", [{ table: 0, priority: 0 }]],
      ],
      actions,
    },
  ]);
const there = (port: string) => printed([{ bridges: [["br-t1002", [{ table: 1, priority: 0, cookie: cookieOf("VpcBridges", "h2") }]]], actions: port }]);

it("leads through the logical router and a tunnel, with the changed headers", async () => {
  const { route, asked: questions, sentence } = await asked([routed({ egress: 0, ingress: 65_525 }, tunnelTo("192.0.2.2", 1002)), there("tap2")]);
  expect(questions).toEqual([
    `h1 br-t1001 in_port="tap1",dl_src=${W1},dl_dst=${GATEWAY_WEB} ttl=64`,
    `h2 br-t1002 in_port="t1002-h1",tun_src=192.0.2.1,tun_dst=192.0.2.2,tun_id=1002,dl_src=0e:00:00:00:00:01,dl_dst=${D2} ttl=63`,
  ]);
  expect(route.outcome).toEqual({ kind: "delivered", host: "h2", to: "d2" });
  expect(route.segments[0]?.steps.map(({ bridge, table }) => `${bridge} ${table}`)).toEqual([
    "br-t1001 2",
    "lr-blue 1",
    "lr-blue 3",
    "lr-blue 4",
    "lr-blue 5",
    "lr-blue 6",
    "br-t1002 0",
  ]);
  expect(sentence).toBe(
    'w1 to 10.1.2.12, tcp port 80: through the logical router of h1, allowed by ACL 10 of list "default_allow" (ingress of db), delivered to d2 on h2',
  );
});

it.each([
  [{ egress: 0, ingress: 0 }, "allowed by the end of its ACL lists"],
  [{ egress: 65_530, ingress: 0 }, 'allowed by ACL 5 of list "web" (egress of web)'],
  [{ egress: 65_530, ingress: 65_515 }, 'allowed by ACL 5 of list "web" (egress of web) and ACL 20 of list "default_allow" (ingress of db)'],
])("names the rules that allowed it: %j", async (rules, words) => {
  const { sentence } = await asked([routed(rules, tunnelTo("192.0.2.2", 1002)), there("tap2")]);
  expect(sentence).toBe(`w1 to 10.1.2.12, tcp port 80: through the logical router of h1, ${words}, delivered to d2 on h2`);
});

it.each([
  [{ egress: 65_505 }, 'ACL 30 of list "web" (egress of web)'],
  [{ egress: 0 }, 'the end of ACL list "web" (egress of web)'],
  [{ egress: 65_530, ingress: 65_505 }, 'ACL 30 of list "default_allow" (ingress of db)'],
  [{ egress: 65_530, ingress: 0 }, 'the end of ACL list "default_allow" (ingress of db)'],
])("names the rule that dropped it: %j", async (rules, words) => {
  const { route, sentence } = await asked([printed([{ bridges: [["lr-blue", routing(rules)]], actions: "drop" }])]);
  expect([route.outcome, sentence]).toEqual([{ kind: "dropped", host: "h1" }, `w1 to 10.1.2.12, tcp port 80: dropped on h1 by ${words}`]);
});

it("ends at a flow that is not a rule: another writer's flow, or no flow", async () => {
  const theirs = printed([{ bridges: [["br-t1001", [{ table: 0, priority: 500, cookie: "0x77" }]]], actions: "drop" }]);
  expect((await asked([theirs])).sentence).toBe("w1 to 10.1.2.12, tcp port 80: dropped on h1 by a flow of table 0, priority 500, cookie 0x77, or after it");
  // In the table of an ACL, and not the logical router's.
  expect((await asked([printed([{ bridges: [["br-t1001", [{ table: 4, priority: 65_505, cookie: "0x77" }]]], actions: "drop" }])])).sentence).toContain(
    "cookie 0x77, or after it",
  );
  expect((await asked([printed([{ bridges: [["br-t1001", []]], actions: "drop" }])])).sentence).toBe(
    "w1 to 10.1.2.12, tcp port 80: dropped on h1: no flow matches",
  );
});

it("ends at port security, whose flows are those of the bridges", async () => {
  const at = (table: number, cookie: string) =>
    printed([
      {
        bridges: [
          [
            "br-t1001",
            [
              { table: 0, priority: 150, cookie },
              { table, priority: 100, cookie },
            ],
          ],
        ],
        actions: "drop",
      },
    ]);
  for (const table of [10, 11]) {
    const { route, sentence } = await asked([at(table, cookieOf("VpcBridges", "h1"))]);
    expect([sentence, route.outcome, route.segments[0]!.portSecurity]).toEqual([
      "w1 to 10.1.2.12, tcp port 80: dropped on h1 by port security of tap1: it has not the MAC or an address of its workload",
      { kind: "dropped", host: "h1" },
      "dropped",
    ]);
    expect(route.segments[0]!.steps.map(({ bridge }) => bridge)).toEqual(["br-t1001", "br-t1001"]);
  }
  const others = [at(2, cookieOf("VpcBridges", "h1")), at(11, "0x77"), at(11, cookieOf("VpcBridges", "h2"))];
  for (const other of others) expect((await asked([other])).sentence).toContain("dropped on h1 by a flow of table");
});

it("leads to a workload on the same host, and to an unknown interface", async () => {
  const local = await asked(
    [routed({ egress: 0, ingress: 0 }, "br-t1002,tap7")],
    { destination: "10.1.2.12" },
    { ...vpc!, topology: { ...vpc!.topology!, workloads: { ...vpc!.topology!.workloads, d2: { ...vpc!.topology!.workloads["d2"]!, host: "h1" } } } },
  );
  expect(local.route.outcome).toEqual({ kind: "delivered", host: "h1", to: "d2" });
  const unowned = await asked([routed({ egress: 0, ingress: 0 }, tunnelTo("192.0.2.2", 1002)), there("br-t1002")]);
  expect([unowned.route.outcome, unowned.sentence]).toEqual([
    { kind: "lost", host: "h2", why: `port br-t1002 (for ${D2})` },
    expect.stringMatching(/, and lost on h2, which sends it by port br-t1002 \(for 0a:00:00:00:02:02\)$/),
  ]);
});

it("leads into the virtual router and out of it, whose rules are unknown", async () => {
  const switched = (actions: string) => printed([{ bridges: [["br-t1001", [{ table: 2, priority: 0, cookie: cookieOf("VpcBridges", "h1") }]]], actions }]);
  const {
    route,
    asked: questions,
    sentence,
  } = await asked([switched(tunnelTo("192.0.2.3", 1001)), switched("vr-web"), there("tap3")], { destination: "10.1.2.13" });
  expect(questions).toEqual([
    `h1 br-t1001 in_port="tap1",dl_src=${W1},dl_dst=${GATEWAY_WEB} ttl=64`,
    `h3 br-t1001 in_port="t1001-h1",tun_src=192.0.2.1,tun_dst=192.0.2.3,tun_id=1001,dl_src=${W1},dl_dst=${GATEWAY_WEB} ttl=64`,
    `h3 br-t1002 in_port="vr-db",dl_src=${GATEWAY_DB},dl_dst=${D3} ttl=63`,
  ]);
  expect([route.virtualRouter, route.outcome]).toEqual(["h3", { kind: "delivered", host: "h3", to: "d3" }]);
  expect(sentence).toBe("w1 to 10.1.2.13, tcp port 80: through the virtual router of h3, whose ACLs are not known here, delivered to d3 on h3");
});

it("ends at the virtual router: outside, or itself, or at an unknown interface", async () => {
  const into = [printed([{ bridges: [], actions: tunnelTo("192.0.2.3", 1001) }]), printed([{ bridges: [], actions: "vr-web" }])];
  expect((await asked(into, { destination: "8.8.8.8" })).sentence).toBe(
    "w1 to 8.8.8.8, tcp port 80: to the virtual router of h3, which routes it out of the VPC",
  );
  expect((await asked(into, { destination: "10.1.2.1" })).sentence).toBe("w1 to 10.1.2.1, tcp port 80: delivered to the virtual router on h3");
  const { topology } = vpc!;
  const unknown = await asked(into, {}, { ...vpc!, topology: { ...topology!, virtualRouter: { host: "h3", ports: { web: "vr-web" } } } });
  expect(unknown.sentence).toBe(
    'w1 to 10.1.2.12, tcp port 80: through the virtual router of h3, whose ACLs are not known here, and not known from h3 on: the stack does not say by which interface the virtual router reaches tier "db"',
  );
});

it("follows only the destination's copy of a flooded packet", async () => {
  const flood = `br-t1002,clone(${tunnelTo("192.0.2.3", 1002)}),${tunnelTo("192.0.2.2", 1002)}`;
  const { asked: questions, route } = await asked([routed({ egress: 0, ingress: 0 }, flood), there("br-t1002,tap9")]);
  expect([questions.length, route.outcome]).toEqual([2, { kind: "delivered", host: "h2", to: "d2" }]);
});

it("uses the workload's own MAC within a tier", async () => {
  const near = {
    ...vpc!,
    topology: {
      ...vpc!.topology!,
      workloads: { ...vpc!.topology!.workloads, w2: { tier: "web", host: "h2", mac: "0a:00:00:00:01:02", addresses: ["10.1.1.12"], port: "tap2" } },
    },
  };
  const { asked: questions, sentence } = await asked(
    [printed([{ bridges: [], actions: tunnelTo("192.0.2.2", 1001) }]), printed([{ bridges: [], actions: "tap2" }])],
    { destination: "10.1.1.12" },
    near,
  );
  expect(questions.every((question) => question.includes("dl_dst=0a:00:00:00:01:02"))).toBe(true);
  expect(sentence).toBe("w1 to 10.1.1.12, tcp port 80: within tier web, delivered to w2 on h2");
});

it("ends at a tunnel to a host without the destination", async () => {
  const { route } = await asked([routed({ egress: 0, ingress: 0 }, tunnelTo("192.0.2.3", 1002))]);
  expect(route.outcome).toEqual({ kind: "lost", host: "h1", why: `the tunnel to 192.0.2.3 (for ${D2})` });
  const { sentence } = await asked([printed([{ bridges: [], actions: "tap9" }])]);
  expect(sentence).toBe(`w1 to 10.1.2.12, tcp port 80: lost on h1, which sends it by port tap9 (for ${GATEWAY_WEB})`);
});

it("is incomplete if a host can't be asked, and ends in a loop", async () => {
  const { route, sentence } = await asked([routed({ egress: 0, ingress: 0 }, tunnelTo("192.0.2.2", 1002)), new Error("ssh ended with status 255")]);
  expect([route.segments.length, sentence]).toEqual([
    1,
    "w1 to 10.1.2.12, tcp port 80: through the logical router of h1, allowed by the end of its ACL lists, and not known from h2 on: ssh ended with status 255",
  ]);
  const back = printed([{ bridges: [], actions: `set(eth(dst=${D2})),${tunnelTo("192.0.2.2", 1002)}` }]);
  const round = await asked(Array.from({ length: 6 }, () => back));
  expect([round.asked.length, round.route.outcome, round.sentence]).toEqual([
    6,
    { kind: "lost", host: "h2", why: "the packet loops" },
    "w1 to 10.1.2.12, tcp port 80: lost on h2: the packet loops",
  ]);
});
