import fc from "fast-check";
import { generateFrrConfigurations } from "@pulumi-ovn/provider";
import { generatedName, selectorOf, vrfName } from "@pulumi-ovn/provider/testing";
import { UPSTREAM, facts, node, receive, spec, template } from "../../support/advertisement";

const KEYS = ["a", "b", "constructor"];
const label = fc.constantFrom("1", "2", "");
const labels = fc.dictionary(fc.constantFrom(...KEYS), label);
const key = fc.constantFrom(...KEYS, "toString");
const requirement = fc.oneof(
  fc.record({ key, operator: fc.constantFrom("In", "NotIn"), values: fc.array(label, { minLength: 1 }) }),
  fc.record({ key, operator: fc.constantFrom("Exists", "DoesNotExist") }),
);
const selector = fc.record({ matchLabels: labels, matchExpressions: fc.array(requirement, { maxLength: 3 }) }, { requiredKeys: [] });

const selects = (given: Parameters<typeof selectorOf>[0], own: Record<string, string>) => selectorOf(given)({ name: "x", labels: own });

describe("a selector", () => {
  it("is the conjunction of its parts", () => {
    fc.assert(
      fc.property(selector, labels, ({ matchLabels = {}, matchExpressions = [] }, own) => {
        const parts = [
          ...Object.entries(matchLabels).map(([name, value]) => ({ matchLabels: { [name]: value } })),
          ...matchExpressions.map((one) => ({ matchExpressions: [one] })),
        ];
        expect(selects({ matchLabels, matchExpressions }, own)).toBe(parts.every((part) => selects(part, own)));
      }),
    );
  });

  it("has operators that negate each other", () => {
    fc.assert(
      fc.property(key, fc.array(label, { minLength: 1 }), labels, (name, values, own) => {
        const one = (operator: string, list?: string[]) => selects({ matchExpressions: [{ key: name, operator, ...(list && { values: list }) }] }, own);
        expect(one("NotIn", values)).toBe(!one("In", values));
        expect(one("DoesNotExist")).toBe(!one("Exists"));
        expect(one("Exists")).toBe(Object.keys(own).includes(name));
        expect(one("In", values)).toBe(Object.entries(own).some(([each, value]) => each === name && values.includes(value)));
      }),
    );
  });

  it("gives the same result by equality and by In with one value", () => {
    fc.assert(
      fc.property(key, label, labels, (name, value, own) => {
        expect(selects({ matchLabels: { [name]: value } }, own)).toBe(selects({ matchExpressions: [{ key: name, operator: "In", values: [value] }] }, own));
      }),
    );
  });

  it("selects everything if it is empty or missing", () => {
    fc.assert(
      fc.property(labels, (own) => {
        expect([selects({}, own), selects(undefined, own), selectorOf({})({ name: "x" })]).toEqual([true, true, true]);
      }),
    );
  });

  it.each([
    [{ key: "a", operator: "Exists", values: ["1"] }, "matchExpressions[0]: Exists has no values"],
    [{ key: "a", operator: "NotIn", values: [] }, "matchExpressions[0]: NotIn needs values"],
  ])("refuses %j", (one, message) => {
    expect(() => selectorOf({ matchExpressions: [one] })).toThrow(message);
  });
});

describe("names", () => {
  const dnsName = fc.stringMatching(/^[a-z0-9]([a-z0-9.-]{0,250}[a-z0-9])?$/);

  it("are valid object names of one length", () => {
    fc.assert(
      fc.property(dnsName, dnsName, dnsName, dnsName, (...parts) => {
        expect(generatedName(...parts)).toMatch(/^ovnk-generated-[0-9a-z]{13}$/);
      }),
    );
  });

  it("are equal for equal parts, and differ otherwise, also if a part could end elsewhere", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.tuple(dnsName, dnsName, dnsName, dnsName), { minLength: 2, selector: (parts) => parts.join("\n") }), (all) => {
        expect(new Set(all.map((parts) => generatedName(...parts))).size).toBe(all.length);
      }),
    );
    expect(generatedName("a", "b", "c", "d")).toBe(generatedName("a", "b", "c", "d"));
    expect(generatedName("a", "b", "cd", "e")).not.toBe(generatedName("a", "bc", "d", "e"));
  });

  it("of VRFs are valid interface names, by name or by id", () => {
    fc.assert(
      fc.property(dnsName, fc.option(fc.integer({ min: 1, max: 4095 }), { nil: undefined }), (network, id) => {
        const vrf = vrfName(network, id === undefined ? undefined : String(id));
        const fits = network.length <= 15 && network !== "default";
        expect(vrf).toBe(fits ? network : id === undefined ? undefined : `mp${id}-udn-vrf`);
        if (vrf !== undefined) expect(vrf.length).toBeLessThanOrEqual(15);
      }),
    );
    expect([vrfName("fifteen-letters", "3"), vrfName("sixteen-letters-", "3"), vrfName("default", "3")]).toEqual([
      "fifteen-letters",
      "mp3-udn-vrf",
      "mp3-udn-vrf",
    ]);
  });
});

it("the result does not depend on the order in which the API lists objects", () => {
  const nodes = Array.from({ length: 6 }, (_, index) => node(`node${index}`, { default: `10.244.${index}.0/24` }));
  const templates = [receive(), template("second", [{ asn: 64512, neighbors: [{ ...UPSTREAM, address: "10.0.0.9" }] }])];
  const given = generateFrrConfigurations(spec(), facts({ nodes, frrConfigurations: templates }));
  fc.assert(
    fc.property(fc.shuffledSubarray(nodes, { minLength: 6 }), fc.shuffledSubarray(templates, { minLength: 2 }), (mixed, shuffled) => {
      expect(generateFrrConfigurations(spec(), facts({ nodes: mixed, frrConfigurations: shuffled }))).toEqual(given);
    }),
  );
});
