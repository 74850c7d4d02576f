import type { Kind, Outputs } from "@pulumi-ovn/provider";
import { Connections } from "@pulumi-ovn/provider/targets";
import { ResourceHandler } from "@pulumi-ovn/provider/tools";
import { z } from "zod";
import { stubBackend } from "../../support/stub-backend";

const warning = { path: "a", code: "OVN_WARN_FALLBACK", message: "not as asked" };

/** A back end that can't make what is desired, or can. */
const backend = (works: () => boolean) =>
  stubBackend<Outputs>({
    lines: () => ({ it: "as it is" }),
    digest: () => "desired",
    impact: () => [],
    ensure: () => Promise.resolve(works() ? undefined : { properties: { digest: "less", state: "fallback" }, warnings: [warning] }),
  });
const kind: Kind<{ host: string }, Outputs> = {
  name: "It",
  schema: z.strictObject({ host: z.string() }),
  render: () => ({ outputs: { state: "enabled" } }),
  outputs: ["state"],
};

test("an incomplete write warns, is in the state, and is repeated by the next update", async () => {
  let works = false;
  const handler = new ResourceHandler(
    kind,
    backend(() => works),
  );
  const request = { urn: "urn", secrets: [], targets: new Connections({}) };
  const { inputs } = await handler.check({ ...request, olds: {}, news: { host: "h" } });
  const created = await handler.create({ ...request, news: inputs });
  expect(created).toEqual({
    id: "id",
    outs: { host: "h", state: "fallback", digest: "less", revision: expect.any(String) },
    diagnostics: [{ severity: "warning", ...warning }],
  });
  expect(handler.diff({ olds: created.outs, news: inputs }).changes).toBe(true);
  const again = await handler.update({ ...request, id: "id", olds: created.outs, news: inputs });
  expect(again).toEqual({ outs: { ...created.outs, revision: expect.any(String) }, diagnostics: [{ severity: "warning", ...warning }] });
  works = true;
  const mended = await handler.update({ ...request, id: "id", olds: again.outs, news: inputs });
  expect(mended).toEqual({ outs: { host: "h", state: "enabled", digest: "desired", revision: expect.any(String) } });
  expect(handler.diff({ olds: mended.outs, news: inputs }).changes).toBe(false);
});
