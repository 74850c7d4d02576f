import { type LiveHost, routerState, stateIn, vpcsIn } from "@pulumi-ovn/cli/testing";
import { vpcState } from "../../../support/vpc-state";
import { SAMPLE } from "../../vpc/sample";

const [vpc] = vpcsIn(stateIn(JSON.stringify(vpcState(SAMPLE)), "it"));
const part = vpc!.routers.get("h1")!;
const off = { ...part, spec: { ...part.spec, enabled: false } };
const fallen = { ...part, recorded: "fallback: Interface t1001-h2: missing" };

/** As compared with what it has when enabled, and when disabled. */
const flows = (enabled: [missing: number, surplus: number], disabled: [missing: number, surplus: number]): LiveHost => ({
  interfaces: { "lr-blue": { ofport: 65_534, error: ["set", []] } },
  rows: { missing: [], changed: {}, taken: [] },
  switching: {},
  routing: { enabled: { missing: enabled[0], surplus: enabled[1] }, disabled: { missing: disabled[0], surplus: disabled[1] } },
  drops: [],
});
const [ON, OFF] = [flows([0, 0], [0, 6]), flows([6, 0], [0, 0])];
const error = (code: string) => Object.assign(new Error("why"), { code });

it.each([
  ["all redirects", part, ON, { state: "enabled" }],
  ["all redirects, also where the last update found a broken tunnel", fallen, ON, { state: "enabled" }],
  ["none, on purpose", off, OFF, { state: "disabled", detail: "enabled: false" }],
  ["none, as the last update has it", fallen, OFF, { state: "fallback", detail: "Interface t1001-h2: missing" }],
  ["none, without a reason", part, OFF, { state: "no-redirects", detail: "no redirect flows" }],
  ["some", part, flows([2, 0], [0, 4]), { state: "no-redirects", detail: "2 of 6 redirect flows are missing" }],
  ["some, where the last update took all away", fallen, flows([2, 0], [0, 4]), { state: "no-redirects", detail: "2 of 6 redirect flows are missing" }],
  ["redirects that should not be", off, flows([2, 0], [0, 4]), { state: "unexpected", detail: "enabled: false, and 4 redirect flows" }],
  ["missing routing flows", part, flows([3, 0], [3, 6]), { state: "flows", detail: "3 missing" }],
  ["missing routing flows with redirects", part, flows([9, 0], [3, 0]), { state: "flows", detail: "3 missing" }],
  ["others of its cookie", part, flows([0, 2], [0, 8]), { state: "flows", detail: "2 too many" }],
  ["both", part, flows([1, 2], [1, 8]), { state: "flows", detail: "1 missing, 2 too many" }],
  ["a missing bridge of a tier", part, { ...ON, routing: undefined }, { state: "missing", detail: "its bridge is missing" }],
  ["its own bridge is missing", part, { ...ON, interfaces: { "lr-blue": undefined } }, { state: "missing", detail: "its bridge is missing" }],
  ["not in the stack", undefined, ON, { state: "missing", detail: "the stack has no logical router for this host; was an update interrupted?" }],
  ["the database not reached", part, { ...ON, interfaces: error("OVSDB_CONNECTION") }, { state: "unknown" }],
  ["programs not reached", part, { ...ON, routing: error("OVN_HOST_UNREACHABLE") }, { state: "unknown" }],
  ["a missing port of its flows", part, { ...ON, routing: error("OVN_FLOW_REFUSED") }, { state: "flows", detail: "OVN_FLOW_REFUSED: why" }],
])("%s", (_, of, live, state) => {
  expect(routerState(of, live)).toEqual(state);
});
