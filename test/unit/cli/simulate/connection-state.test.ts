import fc from "fast-check";
import { originalMatch, traceableMatch } from "@pulumi-ovn/cli/testing";

const part = fc.constantFrom(
  "ct.new",
  "!ct.est",
  "ct.new == 1",
  "ct.est == 0",
  "!(ct.rpl != 1)",
  "ct.rpl != 0",
  "ct.rpl",
  "ct.rel",
  "ct.inv",
  "ct_mark.blocked == 0",
  'outport == "ct.new"',
  "ip4.src == $ct.est",
  "flags.force_snat_for_lb == 1",
  "flags.network_id == 3",
  "tcp",
);

it("restores each match that it changed for the trace", () => {
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 6 }), (parts) => {
      const match = parts.join(" && ");
      expect(originalMatch(traceableMatch(match))).toBe(match);
    }),
  );
});

it("changes states of connections, and no names", () => {
  expect(traceableMatch('!ct.new && ct.rel && outport == "ct.new"')).toBe('!(ct.est && vlan.tci[15] == 0) && ct.rel && outport == "ct.new"');
});
