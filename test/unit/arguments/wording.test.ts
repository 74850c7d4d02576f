import { z } from "zod";
import { validate } from "@pulumi-ovn/provider/testing";

const mode = z.enum(["shared", "local"]);
const said = (schema: z.ZodType, value: unknown) =>
  validate(z.strictObject({ it: schema }), { it: value }).map(({ path, code, message }) => `${path}: ${message} [${code}]`);

describe("the schema library's message about a value", () => {
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
    ["a fraction for a whole number or a text", z.union([z.int(), z.string()]), 1.5, "it: must be a whole number or a text, not a fraction [invalid_type]"],
    ["a fraction for a text", z.string(), 1.5, "it: must be a text, not a number [invalid_type]"],
    ["a text for a whole number", z.int(), "5", "it: must be a number, not a text [invalid_type]"],
    ["a number for a text", z.string(), 5, "it: must be a text, not a number [invalid_type]"],
    ["something of no JSON", z.string(), 5n, "it: must be a text, not a bigint [invalid_type]"],
    ["neither of two types", z.union([z.boolean(), z.strictObject({})]), "yes", "it: must be true or false or an object, not a text [invalid_type]"],
    ["missing, where several types are possible", z.union([z.boolean(), z.strictObject({})]), undefined, "it: is required [required]"],
    ["an empty list", z.array(z.string()).min(1), [], "it: must have at least one entry [too_small]"],
    ["a short list", z.array(z.string()).min(2), ["a"], "it: must have at least 2 entries [too_small]"],
    ["a long list", z.array(z.string()).max(1), ["a", "b"], "it: must have at most one entry [too_big]"],
    ["a list of another length", z.array(z.string()).length(2), ["a"], "it: must have exactly 2 entries [too_small]"],
    ["a longer list of another length", z.array(z.string()).length(1), ["a", "b"], "it: must have exactly one entry [too_big]"],
    ["an empty text", z.string().min(1), "", "it: must have at least one character [too_small]"],
    ["a long text", z.string().max(15), "a".repeat(16), "it: must have at most 15 characters [too_big]"],
    ["a low number", z.number().min(1), 0, "it: must be at least 1 [too_small]"],
    ["a high number", z.int().max(4095), 4096, "it: must be at most 4095 [too_big]"],
    ["no positive number", z.number().positive(), 0, "it: must be greater than 0 [too_small]"],
    ["a number that a limit is not in", z.number().lt(5), 5, "it: must be less than 5 [too_big]"],
    ["a number between", z.number().multipleOf(4), 6, "it: must be a multiple of 4 [not_multiple_of]"],
    ["a text of another form", z.string().regex(/^a+$/), "b", "it: must match /^a+$/ [invalid_format]"],
    ["another beginning", z.string().startsWith("br-"), "x", 'it: must begin with "br-" [invalid_format]'],
    ["another end", z.string().endsWith("/24"), "x", 'it: must end with "/24" [invalid_format]'],
    ["a text without a part", z.string().includes(":"), "x", 'it: must contain ":" [invalid_format]'],
    ["no address", z.ipv4(), "x", 'it: must be of the form "ipv4" [invalid_format]'],
    ["a schema with words of its own for a size", z.array(z.string()).min(1, "needs a bridge"), [], "it: needs a bridge [too_small]"],
    ["a schema with words of its own", z.string("must be a name"), 5, "it: must be a name [invalid_type]"],
    ["a type that has no word", z.date(), "today", "it: Invalid input: expected date, received string [invalid_type]"],
  ])("%s", (_, schema, value, expected) => {
    expect(said(schema, value)).toEqual([expected]);
  });

  it("repeats no value of another type, which may be a secret", () => {
    expect(said(z.union([z.boolean(), z.number()]), "s3cret").join()).not.toContain("s3cret");
  });
});
