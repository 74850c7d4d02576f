import fc from "fast-check";
import { MatchError, parseMatch } from "@pulumi-ovn/provider";
import { symbols } from "@pulumi-ovn/provider/testing";
import { startCentral } from "@pulumi-ovn/sandbox";
import { matchExpression, mutatedExpression, NEWER } from "../../support/match-expressions";
import { matchSets, matchVerdicts } from "../../support/match-verdicts";

let ovn: Awaited<ReturnType<typeof matchVerdicts>>;
beforeAll(async () => {
  ovn = await matchVerdicts();
});
afterAll(() => ovn?.remove());

function refusal(expression: string): string | undefined {
  try {
    parseMatch(expression, matchSets);
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(MatchError);
    return (error as Error).message;
  }
}

/** Expressions about which the two disagree, each with both reasons. */
async function disagreements(expressions: readonly string[]) {
  const refusals = await ovn.refusals(expressions);
  const differing = expressions
    .map((expression) => ({ expression, ours: refusal(expression), ovn: refusals.get(expression) }))
    .filter(({ ours, ovn }) => (ours === undefined) !== (ovn === undefined));
  return { differing, refused: refusals.size };
}

it.each([
  ["generated", matchExpression, 0.2],
  ["mutated", mutatedExpression, 0.5],
] as const)("OVN and the parser agree about 6000 %s expressions", async (_, arbitrary, least) => {
  const seed = Math.floor(Math.random() * 2 ** 31);
  // ^NAME is replaced on each chassis, and not judged.
  const expressions = [...new Set(fc.sample(arbitrary, { numRuns: 6000, seed }))].filter((expression) => !expression.includes("^"));
  const { differing, refused } = await disagreements(expressions);
  expect({ seed, differing: differing.slice(0, 20) }).toEqual({ seed, differing: [] });
  // Both verdicts occur.
  expect(refused / expressions.length).toBeGreaterThan(least);
  expect(refused / expressions.length).toBeLessThan(0.98);
});

it("OVN and the parser agree about each symbol: by itself, in bits, compared with numbers of all widths, and negated", async () => {
  const expressions = [...symbols.values()]
    .filter(({ name }) => !NEWER.includes(name))
    .flatMap(({ name, width }) => [
      name,
      `!${name}`,
      `${name} == 0`,
      `${name} != 1`,
      `${name} < 1`,
      `${name} == "a"`,
      `${name}[0]`,
      `${name}[${width}]`,
      ...(width > 0 ? [`${name}[0..${width - 1}] == 1`, `${name} == 0x1${"0".repeat(width / 4)}`, `${name} == ${2n ** BigInt(Math.min(width, 64)) - 1n}`] : []),
    ]);
  const { differing, refused } = await disagreements(expressions);
  expect(differing).toEqual([]);
  expect(refused).toBeGreaterThan(expressions.length / 4);
});

it("northd puts parentheses around the matches of ACLs, NAT rules and policies of a chain, and around no others", async () => {
  const central = await startCentral();
  try {
    const nbctl = (...args: string[]) => central.run("ovn-nbctl", args);
    await nbctl("ls-add", "sw", "--", "lsp-add", "sw", "p1", "--", "lr-add", "r", "--", "lrp-add", "r", "rp", "00:00:00:00:01:01", "10.1.0.254/24");
    await nbctl("set", "Logical_Router", "r", "options:chassis=x");
    await nbctl("acl-add", "sw", "to-lport", "1", "ip4.dst == 192.0.2.1 || 0", "allow-related");
    await nbctl("--match=ip4.dst == 192.0.2.2 || 0", "lr-nat-add", "r", "snat", "10.1.0.254", "10.0.0.0/24");
    await nbctl("qos-add", "sw", "to-lport", "1", "ip4.dst == 192.0.2.3 || 0", "dscp=5");
    await nbctl("lr-policy-add", "r", "1", "ip4.dst == 192.0.2.4 || 0", "drop");
    const wrapped = async (last: number) => {
      const { stdout: flows } = await central.run("ovn-sbctl", ["--bare", "--columns=match", "find", "Logical_Flow"]);
      const text = `ip4.dst == 192.0.2.${last} || 0`;
      expect(flows).toContain(text);
      return flows.split("\n").every((line) => !line.includes(text) || line.includes(`(${text})`));
    };
    await nbctl("--wait=sb", "sync");
    expect([await wrapped(1), await wrapped(2), await wrapped(3), await wrapped(4)]).toEqual([true, true, false, false]);
    await nbctl("--wait=sb", "--chain=c", "lr-policy-add", "r", "2", "ip4.dst == 192.0.2.5 || 0", "drop");
    expect(await wrapped(5)).toBe(true);
  } finally {
    await central.stop();
  }
});
