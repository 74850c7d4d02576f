import { z } from "zod";
import { ArgumentError, type Kind, type Outputs } from "@pulumi-ovn/provider";
import { Connections } from "@pulumi-ovn/provider/targets";
import { ResourceHandler } from "@pulumi-ovn/provider/tools";
import { stubBackend } from "../../support/stub-backend";

const warning = (message: string) => ({ path: "a", code: "OVN_WARN_FALLBACK", message });
const backend = stubBackend<Outputs>({
  lines: () => ({ it: "text" }),
  digest: () => "digest",
  impact: () => [warning("was before")],
});

interface Args {
  name: string;
  secret: string;
}
const kindOf = (render: (args: Args) => Outputs): Kind<Args, Outputs> => ({
  name: "It",
  schema: z.strictObject({ name: z.string(), secret: z.string() }),
  render,
  outputs: [],
});
const check = (render: (args: Args) => Outputs, secrets: string[], own = backend) =>
  new ResourceHandler(kindOf(render), own).check({
    urn: "urn",
    secrets,
    targets: new Connections({}),
    olds: { name: "a", secret: "before-1", digest: "digest before" },
    news: { name: "a", secret: "hunter2" },
  });

it("warns of effects that no secret decides, and of no change of a resource with a secret", async () => {
  const render = ({ name, secret }: Args): Outputs => ({ warnings: [warning(`of ${name}`), warning(`of ${secret}`)] });
  const warned = async (secrets: string[]) => (await check(render, secrets)).diagnostics.map(({ message }) => message);
  expect(await warned([])).toEqual(["of a", "of hunter2", "was before"]);
  expect(await warned(["secret"])).toEqual(["of a"]);
});

it("hides all lines if another value of the secret would be refused", async () => {
  const only = ({ secret }: Args): Outputs => {
    if (secret !== "hunter2" && secret !== "before-1") throw new ArgumentError([{ path: "secret", code: "value", message: "no" }]);
    return {};
  };
  const { inputs, diagnostics } = await check(only, ["secret"]);
  expect([inputs.rows, diagnostics]).toEqual([{ hidden: "the arguments hold a secret" }, []]);
});

it("shows the adoption of existing objects, except for a resource with a secret", async () => {
  const found = { "T row": "adopted: name=hunter2" };
  const adopting = { ...backend, locate: () => Promise.resolve({ adoption: found, adopted: { row: "uuid" } }) };
  const shown = async (secrets: string[], own = backend) => (await check(() => ({}), secrets, own)).inputs;
  expect(await shown([], adopting)).toMatchObject({ adoption: found, adopted: { row: "uuid" } });
  expect(await shown(["secret"], adopting)).toMatchObject({ adoption: { hidden: "the arguments hold a secret" }, adopted: { row: "uuid" } });
  expect(await shown(["secret"])).not.toHaveProperty("adoption");
});
