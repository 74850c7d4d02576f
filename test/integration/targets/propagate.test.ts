import { Connections, propagate } from "@pulumi-ovn/provider/targets";
import { TestZones } from "../../support/zones";

let zones: TestZones;
let connections: Connections;
beforeAll(async () => {
  zones = await TestZones.start(["node1"]);
  connections = new Connections(zones.config);
});
afterAll(async () => {
  await connections?.close();
  await zones?.stop();
});

const STACK = "urn:pulumi:dev::trial::";
const attempt = (waitFor: "southbound" | "chassis") =>
  propagate(connections, "node1", waitFor, 500, `${STACK}ovn:network:Layer2Network::blue`).then(
    () => "reached",
    (error: Error) => error.message,
  );
const sbctl = (...args: string[]) => zones.centrals.node1!.run("ovn-sbctl", args);

describe("a wait for a zone", () => {
  it("ends with northd, and needs a chassis to wait for chassis", async () => {
    expect(await attempt("southbound")).toBe("reached");
    expect(await attempt("chassis")).toBe("no ovn-controller is connected to its Southbound database: there is no chassis to wait for");
  });

  it("reports the chassis that did not follow", async () => {
    await sbctl("create", "Chassis_Private", "name=node1");
    expect(await attempt("southbound")).toBe("reached");
    expect(await attempt("chassis")).toBe("not reached within 0.5 s: chassis node1 did not install the flows; is ovn-controller running there?");
  });

  it("reports missing chassis of remote ports, only for the stack's ports", async () => {
    await sbctl("set", "Chassis_Private", "node1", "nb_cfg=100000");
    await zones.nbctl("node1", "ls-add", "blue", "--", "lr-add", "transit", "--", "set", "Logical_Router", "transit", "options:requested-tnl-key=16715780");
    const mark = (stack: string) => `external_ids:"pulumi-ovn:owner"="${stack}WorkloadPorts::blue"`;
    const remote = (name: string, chassis: string, stack: string) =>
      zones.nbctl(
        "node1",
        "lsp-add",
        "blue",
        name,
        "--",
        "set",
        "Logical_Switch_Port",
        name,
        "type=remote",
        `options:requested-chassis="${chassis}"`,
        mark(stack),
      );
    await remote("vm2", "node2", "urn:pulumi:other::trial::");
    expect(await attempt("chassis")).toBe("reached");
    await remote("vm3", "node3", STACK);
    await zones.nbctl("node1", "lrp-add", "transit", "trtor", "0a:58:64:58:00:04", "100.88.0.4/31");
    await zones.nbctl("node1", "set", "Logical_Router_Port", "trtor", "options:requested-chassis=node4", mark(STACK));
    expect(await attempt("southbound")).toBe("reached");
    expect(await attempt("chassis")).toBe(
      'no chassis "node3", "node4" in its Southbound database: packets to remote ports trtor, vm3 are dropped; set tunnelAddresses of the nodes, or start what writes these chassis (ovn-ic, ovn-kubernetes)',
    );
    for (const name of ["node3", "node4"]) await sbctl("chassis-add", name, "geneve", `198.18.0.${name.slice(4)}`);
    expect(await attempt("chassis")).toBe("reached");
    // A port that moves names the chassis of both sides (ovn-nb(5), requested-chassis).
    await remote("vm5", "node5,node6", STACK);
    expect(await attempt("chassis")).toMatch(/^no chassis "node5", "node6" in its Southbound database: packets to remote ports vm5 are dropped;/);
    // northd binds the port to the first chassis that is there.
    await sbctl("chassis-add", "node6", "geneve", "198.18.0.6");
    expect(await attempt("chassis")).toBe("reached");
    await sbctl("set", "Chassis_Private", "node1", "nb_cfg=0");
  });

  it("reports a missing northd, not the chassis", async () => {
    await zones.centrals.node1!.kill("northd");
    for (const waitFor of ["southbound", "chassis"] as const) {
      expect(await attempt(waitFor)).toBe("not reached within 0.5 s: ovn-northd did not translate the change; is it running and connected to both databases?");
    }
  });
});
