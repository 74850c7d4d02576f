import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { modeDrift } from "@pulumi-ovn/provider/testing";
import { requireAnswer } from "@pulumi-ovn/provider/tools";

const folder = mkdtempSync(join(tmpdir(), "silence-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** A host whose ovs-ofctl counts questions, and ends with `end`. */
function hostWith(name: string, end: string) {
  const [bin, log] = [join(folder, name), join(folder, `${name}.log`)];
  mkdirSync(bin);
  writeFileSync(log, "");
  writeFileSync(join(bin, "ovs-ofctl"), `#!/bin/sh\necho "$*" >> ${log}\n${end}\n`);
  chmodSync(join(bin, "ovs-ofctl"), 0o755);
  const host = { command: ["env", `PATH=${bin}:${process.env["PATH"]}`] };
  return { target: { host }, questions: () => readFileSync(log, "utf8").split("\n").filter(Boolean).length };
}

// As --timeout of ovs-ofctl(8) ends it.
const HANGS = "sleep 0.2; kill -ALRM $$";
const bridges = (...names: string[]) => names.map((bridge) => ({ bridge, flows: [], fragments: "nx-match" as const }));

afterEach(() => void jest.restoreAllMocks());

it("asks a hanging switch once for all resources of its host, and again after a pause", async () => {
  const { target, questions } = hostWith("hung", HANGS);
  const silent = (bridge: string) => ({
    code: "OVN_BRIDGE_UNREACHABLE",
    message: expect.stringMatching(`^bridge "${bridge}" did not answer within 5 s:`) as string,
  });
  const all = await Promise.allSettled([requireAnswer(target, "br1"), requireAnswer(target, "br2"), modeDrift(target, bridges("br3", "br4"))]);
  expect(all).toMatchObject([{ reason: silent("br1") }, { reason: silent("br2") }, { value: { changed: {}, unanswered: silent("br3").message } }]);
  await expect(requireAnswer(target, "br5")).rejects.toMatchObject(silent("br5"));
  expect(questions()).toBe(1);
  const later = performance.now() + 10_000;
  jest.spyOn(performance, "now").mockReturnValue(later);
  await expect(requireAnswer(target, "br5")).rejects.toMatchObject(silent("br5"));
  expect(questions()).toBe(2);
});

it("asks an answering switch each time, also while another host's switch hangs", async () => {
  const [hung, running] = [hostWith("other", HANGS), hostWith("running", "echo nx-match")];
  const all = await Promise.allSettled([
    requireAnswer(hung.target, "br1"),
    requireAnswer(running.target, "br1"),
    modeDrift(running.target, bridges("br1", "br2")),
  ]);
  expect(all.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "fulfilled"]);
  expect([all[2], running.questions()]).toEqual([{ status: "fulfilled", value: { changed: {} } }, 3]);
});
