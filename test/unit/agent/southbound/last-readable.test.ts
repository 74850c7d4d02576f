import { lastReadable } from "@pulumi-ovn/agent/testing";
import { exposureOf } from "../../../support/agent-input";

const [one, two, elsewhere] = [exposureOf({ floatingIPs: true }), exposureOf({ providerPorts: true }), exposureOf({ chassis: ["h2", "h10"] })];
const WHY = "this agent does not know its version; it needs a newer release";

test.each<[what: string, now: Record<string, string>, before: Record<string, string>, exposures: Record<string, string>, unreadable: Record<string, string>]>([
  ["what can be read", { blue: one }, { blue: two }, { blue: one }, {}],
  ["what can't, with what was last read", { blue: '{"version":2}' }, { blue: one }, { blue: one }, { blue: WHY }],
  ["what could not be read before, either", { blue: '{"version":2}' }, { blue: '{"version":3}' }, { blue: '{"version":2}' }, {}],
  ["broken text", { blue: "{" }, { blue: two }, { blue: two }, { blue: "it is not JSON" }],
  [
    "what was never read, also by the name of what all objects have",
    { blue: '{"version":2}', toString: "{" },
    { green: one },
    { blue: '{"version":2}', toString: "{" },
    {},
  ],
  [
    "what named another chassis",
    { blue: '{"version":2}', green: "{" },
    { blue: elsewhere, green: one },
    { blue: '{"version":2}', green: one },
    { green: "it is not JSON" },
  ],
  ["a deleted one", {}, { blue: one }, {}, {}],
])("%s", (_what, now, before, exposures, why) => expect(lastReadable({ name: "h1", uuid: null }, now, before)).toEqual({ exposures, unreadable: why }));
