import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FrrConfiguration, generateFrrConfigurations } from "@pulumi-ovn/provider";
import { factsOf, type Neighbor, observedOf, type Router, unapplied } from "@pulumi-ovn/provider/testing";
import { until } from "@pulumi-ovn/sandbox/testing";
import { frrK8sPrograms } from "@pulumi-ovn/sandbox";
import { facts, failuresOf, node, spec, template } from "../../support/advertisement";
import { TestCluster } from "../../support/kubernetes";

jest.setTimeout(300_000);

const PATIENCE = 60_000;
const CONFIGURATIONS = "/apis/frrk8s.metallb.io/v1beta1/namespaces/frr-k8s-system/frrconfigurations";
const PEER = { address: "192.168.111.3", asn: 64600, bfdProfile: "fast" };
const LINK = { interface: "eth1", asn: 64600 };
const PREFIXES = ["10.8.0.0/16"];
const preferring = (localPref: number, prefixes = PREFIXES) => ({
  toAdvertise: { allowed: { mode: "filtered", prefixes }, withLocalPref: [{ localPref, prefixes }] },
});
const PROFILES = [
  { name: "fast", receiveInterval: 300 },
  { name: "slow", receiveInterval: 900 },
];
/** The template; its import is one that generated objects have no router for. */
const OWN = template(
  "own",
  [
    { asn: 64512, id: "1.1.1.1", prefixes: PREFIXES, imports: [{ vrf: "red" }], neighbors: [{ ...PEER, ...preferring(100) }, LINK] },
    { asn: 64512, vrf: "red" },
  ],
  { bfdProfiles: PROFILES },
);
const SUBNET = "10.244.0.0/24";

const folder = mkdtempSync(join(tmpdir(), "frr-k8s-"));
const written = () => readFileSync(join(folder, "frr.conf"), "utf8");
let cluster: TestCluster;
let reloader: ChildProcess;
let controller: ChildProcess;
let log = "";

/** The real controller of frr-k8s, which merges the configurations of its node. It writes a file instead of configuring FRR. */
beforeAll(async () => {
  cluster = await TestCluster.kept();
  await cluster.namespace("frr-k8s-system");
  await cluster.must("POST", "/api/v1/nodes", { apiVersion: "v1", kind: "Node", ...node("node1", { default: SUBNET }) });
  reloader = spawn("sh", ["-c", "trap '' HUP; echo; while :; do sleep 1; done"], { stdio: ["ignore", "pipe", "ignore"] });
  await new Promise((resolve) => reloader.stdout!.once("data", resolve));
  writeFileSync(join(folder, "pid"), String(reloader.pid));
  writeFileSync(join(folder, "frr.conf"), "");
  const { controller: program } = await frrK8sPrograms(() => undefined);
  controller = spawn(program, ["--node-name", "node1", "--namespace", "frr-k8s-system", "--metrics-bind-address", "0", "--health-probe-bind-address", "0"], {
    env: {
      ...process.env,
      KUBECONFIG: cluster.api.kubeconfig,
      FRR_CONFIG_FILE: join(folder, "frr.conf"),
      FRR_RELOADER_PID_FILE: join(folder, "pid"),
      FRR_K8S_BGP_DEBOUNCE_TIMEOUT: "50",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  for (const stream of [controller.stdout!, controller.stderr!]) stream.on("data", (data: Buffer) => (log += data.toString()));
  await cluster.must("POST", CONFIGURATIONS, OWN);
  await until("what frr-k8s makes of the first object", PATIENCE, () => written().includes("neighbor 192.168.111.3 remote-as 64600"));
});
afterAll(async () => {
  for (const one of [controller, reloader]) one?.kill("SIGKILL");
  rmSync(folder, { recursive: true });
});

afterEach(() => cluster.must("DELETE", `${CONFIGURATIONS}?labelSelector=!use`));

const foreign = (neighbor: Partial<Neighbor>, router: Partial<Router> = {}, bfdProfiles: Record<string, unknown>[] = PROFILES, more: Router[] = []) =>
  template("foreign", [{ asn: 64512, neighbors: [{ ...PEER, ...neighbor }], ...router }, ...more], { labels: {}, bfdProfiles });
const named = (name: string, object: FrrConfiguration): FrrConfiguration => ({ ...object, metadata: { ...object.metadata, name } });
/** A configuration with a session that the template does not have. */
const elsewhere = (neighbor: Partial<Neighbor>) => foreign({ address: "192.168.111.4", ...neighbor });
const withPassword = (password: string) => named(`with-${password}`, elsewhere({ password }));
/** As an announcement has seen it. */
const seen = (others: readonly FrrConfiguration[]) => factsOf(observedOf(spec(), facts({ frrConfigurations: [OWN, ...others] })));
/** Checks that the real frr-k8s refuses the configurations with these words. */
async function refused(others: readonly FrrConfiguration[], words: string): Promise<void> {
  const before = log.length;
  for (const other of others) await cluster.must("POST", CONFIGURATIONS, other);
  const refusals = () =>
    log
      .slice(before)
      .split("\n")
      .filter((line) => line.includes("failed to convert the config"));
  await until("frr-k8s's refusal", PATIENCE, () => refusals().some((line) => line.includes(words))).catch(() => expect(refusals()).toEqual([words]));
}
const codesHere = (others: readonly FrrConfiguration[]) => failuresOf(spec(), seen(others)).map(({ code }) => code);

it.each<[string, FrrConfiguration | FrrConfiguration[], string]>([
  ["another ASN of the router", foreign({}, { asn: 64999 }), "different asns"],
  ["another router id", foreign({}, { id: "2.2.2.2" }), "different router ids"],
  ["another ASN of the neighbour", foreign({ asn: 64601 }), "multiple asns specified"],
  ["an ASN that is found out", foreign({ asn: 0, dynamicASN: "external" }), "multiple asns specified"],
  ["another port", foreign({ port: 1179 }), "multiple ports specified"],
  ["another source", foreign({ sourceaddress: "192.168.111.9" }), "multiple source addresses specified"],
  ["a password", foreign({ password: "secret" }), "multiple passwords specified"],
  ["two passwords of a third session", [withPassword("one"), withPassword("two")], "multiple passwords specified"],
  ["another BFD profile", foreign({ bfdProfile: "slow" }), "multiple bfd profiles specified"],
  ["multihop", foreign({ ebgpMultiHop: true }), "conflicting ebgp-multihop specified"],
  ["both families", foreign({ dualStackAddressFamily: true }), "conflicting advertiseDualStack specified"],
  ["another hold time", foreign({ holdTime: "200s", keepaliveTime: "1m" }), "multiple hold times specified"],
  ["another keepalive time", foreign({ holdTime: "180s", keepaliveTime: "30s" }), "multiple keepalive times specified"],
  ["another connect time", foreign({ connectTime: "7s" }), "multiple connect times specified"],
  ["an ASN of its own for the session", foreign({ localASN: 64700 }), "multiple localASNs specified"],
  ["another local preference", foreign(preferring(200), { prefixes: PREFIXES }), "multiple local prefs"],
  ["other values of a BFD profile", foreign({}, {}, [{ name: "fast", receiveInterval: 700 }]), "duplicate bfd profile name fast with different values"],
  ["two BFD profiles of one name", foreign({}, {}, [PROFILES[0]!, PROFILES[0]!]), "duplicate bfd profile name fast in config foreign"],
  ["a BFD profile of another object", foreign({}, {}, []), "referencing non existing BFDProfile fast"],
  ["a hold time without a keepalive time", foreign({ holdTime: "180s" }), "one of KeepaliveTime/HoldTime specified"],
  ["a keepalive time without a hold time", elsewhere({ keepaliveTime: "60s" }), "one of KeepaliveTime/HoldTime specified"],
  ["a hold time that is too short", elsewhere({ holdTime: "2s", keepaliveTime: "1s" }), "must be 0 or >=3s"],
  ["a keepalive time that is longer than the hold time", elsewhere({ holdTime: "9s", keepaliveTime: "10s" }), "must be lower than holdTime"],
  ["an import of a VRF of another object", foreign({}, { imports: [{ vrf: "red" }] }), "imports vrf red which is not defined"],
  [
    "an import of the main VRF of another object",
    template("foreign", [{ asn: 64512, vrf: "red", imports: [{ vrf: "default" }] }], { labels: {} }),
    "not found in prefixes in router",
  ],
  ["an ASN of its own for a session of the same ASN", elsewhere({ asn: 64512, localASN: 64700 }), "localASN is not supported for iBGP sessions"],
  ["a password and a Secret", elsewhere({ password: "secret", passwordSecret: { name: "bgp" } }), "both cleartext password and secret ref"],
  ["no ASN of a neighbour", elsewhere({ asn: 0 }), "has no ASN or DynamicASN specified"],
  ["two ASNs of a neighbour", elsewhere({ dynamicASN: "external" }), "has both ASN and DynamicASN specified"],
  ["two places of a neighbour", elsewhere({ interface: "eth2" }), "has both Address and Interface specified"],
])("frr-k8s also refuses %s", async (_what, object, words) => {
  const others = [object].flat();
  expect(new Set(codesHere(others))).toEqual(new Set(["merge-conflict"]));
  await refused(others, words);
});

it.each<[string, FrrConfiguration, string]>([
  [
    "a local preference for the other family",
    foreign({ ...preferring(100, ["fd00:8::/64"]) }, { prefixes: ["fd00:8::/64"] }),
    "is not compatible with the ipfamily",
  ],
])("this release of frr-k8s also refuses what only warns here: %s", async (_what, object, words) => {
  const { objects, warnings } = generateFrrConfigurations(spec(), seen([object]));
  expect([objects.length, warnings.map(({ code }) => code)]).toEqual([1, ["OVN_WARN_MERGE_CONFLICT"]]);
  await refused([object], words);
});

it.each<[string, FrrConfiguration]>([
  ["nothing else", template("foreign", [], { labels: {} })],
  ["the same in other words", foreign({ port: 179, holdTime: "3m", keepaliveTime: "1m0s", ...preferring(100) }, { prefixes: PREFIXES })],
  ["times that differ by less than a second", foreign({ holdTime: "180.9s", keepaliveTime: "60.5s" })],
  ["no router id", foreign({}, { id: "" })],
  ["both families over an interface", foreign({ ...LINK, address: "", bfdProfile: "", dualStackAddressFamily: true })],
  ["another session", foreign({ address: "192.168.111.4", asn: 1, port: 1179, holdTime: "9s", keepaliveTime: "9s" })],
  ["another VRF", foreign({ asn: 1, port: 1179 }, { asn: 7, vrf: "blue" })],
  ["a preference of another prefix", foreign(preferring(200, ["10.9.0.0/16"]), { prefixes: ["10.9.0.0/16"] })],
  ["an import of its own router", foreign({}, { imports: [{ vrf: "red" }] }, PROFILES, [{ asn: 64512, vrf: "red", imports: [{ vrf: "default" }] }])],
])("frr-k8s also accepts what is accepted here, with the generated objects: %s", async (_what, other) => {
  const { objects, warnings } = generateFrrConfigurations(spec(), seen([other]));
  expect([objects.length, warnings]).toEqual([1, []]);
  // The mark changes with each case, so earlier output cannot be mistaken for this case.
  const mark = `192.168.112.${++marks}`;
  const marked = template("mark", [{ asn: 64512, neighbors: [{ address: mark, asn: 1 }] }], { labels: {} });
  for (const object of [other, ...objects, marked]) await cluster.must("POST", CONFIGURATIONS, object);
  await until("all of it merged", PATIENCE, () => written().includes(`neighbor ${mark} remote-as 1`) && written().includes(SUBNET)).catch(() =>
    expect(log.split("\n").findLast((line) => line.includes("failed to convert"))).toBeUndefined(),
  );
});
let marks = 0;

it("reports by FRRNodeState, in frr-k8s' words, a conflict that appears after the preview", async () => {
  const { objects } = generateFrrConfigurations(spec(), seen([]));
  for (const object of [...objects, foreign({ port: 1179 })]) await cluster.must("POST", CONFIGURATIONS, object);
  const problems = async () => unapplied(objects, [await cluster.must("GET", "/apis/frrk8s.metallb.io/v1beta1/frrnodestates/node1")]);
  await until("what the node tells", PATIENCE, async () => /failed/.test(JSON.stringify(await problems())));
  expect(await problems()).toEqual([
    { node: "node1", text: expect.stringMatching(/^frr-k8s could not merge the FRRConfigurations: .*multiple ports specified for 192\.168\.111\.3/) },
  ]);
});

it("refuses a BFD profile on one side, which only this release of frr-k8s accepts", async () => {
  const { bfdProfile: _fast, ...plain } = PEER;
  const without = template("foreign", [{ asn: 64512, neighbors: [plain, { address: "192.168.111.92", asn: 1 }] }], { labels: {} });
  expect(codesHere([without])).toEqual(["merge-conflict"]);
  await cluster.must("POST", CONFIGURATIONS, without);
  await until("both merged", PATIENCE, () => written().includes("neighbor 192.168.111.92 remote-as 1"));
  expect(written()).toContain("neighbor 192.168.111.3 bfd profile fast");
});
