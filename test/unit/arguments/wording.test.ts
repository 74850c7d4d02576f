import { z } from "zod";
import { once } from "../../../provider/arguments/once";
import { validate } from "../../../provider/arguments/validate";

const mode = z.enum(["shared", "local"]);
const said = (schema: z.ZodType, value: unknown) =>
  validate(z.strictObject({ it: schema }), { it: value }).map(({ path, code, message }) => `${path}: ${message} [${code}]`);

describe("what the schema library has against a value", () => {
  it.each<[string, z.ZodType, unknown, string]>([
    ["a typo in a choice", mode, "share", 'it: "share" is not one of "shared", "local"; did you mean "shared"? [invalid_value]'],
    ["another choice", mode, "nothing like it", 'it: "nothing like it" is not one of "shared", "local" [invalid_value]'],
    ["another type in place of a choice", mode, 5, 'it: must be one of "shared", "local" [invalid_value]'],
    ["a choice that is missing", mode, undefined, "it: is required [required]"],
    ["the one value that there is", z.literal("rarp"), "arp", 'it: must be "rarp" [invalid_value]'],
    ["a text for a list", z.array(z.string()), "10.0.0.1", "it: must be a list, not a text [invalid_type]"],
    ["a list for a map", z.record(z.string(), z.string()), ["a"], "it: must be an object, not a list [invalid_type]"],
    ["nothing at all", z.strictObject({}), null, "it: must be an object, not null [invalid_type]"],
    ["a text for a switch", z.boolean(), "yes", "it: must be true or false, not a text [invalid_type]"],
    ["a text for a number", z.number(), "5", "it: must be a number, not a text [invalid_type]"],
    ["no number at all", z.number(), NaN, "it: must be a number, not NaN [invalid_type]"],
    ["no end", z.number(), Infinity, "it: must be a number, not Infinity [invalid_type]"],
    ["no end below", z.int(), -Infinity, "it: must be a number, not -Infinity [invalid_type]"],
    ["no number for a text", z.string(), NaN, "it: must be a text, not NaN [invalid_type]"],
    ["a fraction for a whole number", z.int(), 1.5, "it: must be a whole number, not a fraction [invalid_type]"],
    ["a fraction for a whole number of the older form", z.number().int(), 1.5, "it: must be a whole number, not a fraction [invalid_type]"],
    ["a fraction for a whole number or a text", z.union([z.int(), z.string()]), 1.5, "it: must be a whole number or a text, not a fraction [invalid_union]"],
    ["a fraction for a text", z.string(), 1.5, "it: must be a text, not a number [invalid_type]"],
    ["a text for a whole number", z.int(), "5", "it: must be a number, not a text [invalid_type]"],
    ["a number for a text", z.string(), 5, "it: must be a text, not a number [invalid_type]"],
    ["something of no JSON", z.string(), 5n, "it: must be a text, not a bigint [invalid_type]"],
    ["neither of two types", z.union([z.boolean(), z.strictObject({})]), "yes", "it: must be true or false or an object, not a text [invalid_union]"],
    ["missing, where several types are possible", z.union([z.boolean(), z.strictObject({})]), undefined, "it: is required [required]"],
    ["a schema with words of its own", z.string("must be a name"), 5, "it: must be a name [invalid_type]"],
    ["a type that has no word", z.date(), "today", "it: Invalid input: expected date, received string [invalid_type]"],
  ])("%s", (_, schema, value, expected) => {
    expect(said(schema, value)).toEqual([expected]);
  });

  it("says the same of a schema that is asked once about each content", () => {
    expect(said(once(z.strictObject({ mode })), { mode: "share" })).toEqual([
      'it.mode: "share" is not one of "shared", "local"; did you mean "shared"? [invalid_value]',
    ]);
  });

  it("repeats no value of another type, which may be a secret", () => {
    expect(said(z.union([z.boolean(), z.number()]), "s3cret").join()).not.toContain("s3cret");
  });
});
