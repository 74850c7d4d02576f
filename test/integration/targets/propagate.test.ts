import { Connections } from "../../../provider/targets/connections";
import { propagate } from "../../../provider/targets/propagate";
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

const attempt = (waitFor: "southbound" | "chassis") =>
  propagate(connections, "node1", waitFor, 500).then(
    () => "reached",
    (error: Error) => error.message,
  );
const sbctl = (...args: string[]) => zones.centrals.node1!.run("ovn-sbctl", args);

describe("waiting for a zone", () => {
  it("ends with northd, and wants a chassis where chassis are waited for", async () => {
    expect(await attempt("southbound")).toBe("reached");
    expect(await attempt("chassis")).toBe("no ovn-controller is connected to its Southbound database: there is no chassis to wait for");
  });

  it("names the chassis that has not followed", async () => {
    await sbctl("create", "Chassis_Private", "name=node1");
    expect(await attempt("southbound")).toBe("reached");
    expect(await attempt("chassis")).toBe("not reached within 0.5 s: chassis node1 did not install the flows; is ovn-controller running there?");
  });

  it("does not blame a chassis for a northd that is gone", async () => {
    await zones.centrals.node1!.kill("northd");
    for (const waitFor of ["southbound", "chassis"] as const) {
      expect(await attempt(waitFor)).toBe("not reached within 0.5 s: ovn-northd did not translate the change; is it running and connected to both databases?");
    }
  });
});
