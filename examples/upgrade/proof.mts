import { type Check, leavesAs, pingable, type Scenario } from "@pulumi-ovn/sandbox";

export default {
  async prove({ sandbox, example }): Promise<Check[]> {
    const before = await pingable(sandbox, "in the gateway topology", "vm1", "203.203.0.18");
    const traffic = await sandbox.spawn("vm1", ["ping", "-n", "-q", "-i", "0.1", "203.203.0.18"]);
    let counted = "";
    traffic.process.stdout!.on("data", (text: Buffer) => (counted += text.toString()));
    const rollout = await example.tool("upgrade", "--loaded", "--batch", "100%", "--settle-seconds", "1");
    traffic.signal("SIGINT");
    await traffic.exit;
    const [, sent, received] = /(\d+) packets transmitted, (\d+) received/.exec(counted)!.map(Number);
    const lost = sent! - received!;
    return [
      before,
      { what: "the rollout", detail: rollout.trimEnd().split("\n").at(-1)! },
      // One may be on its way at the end.
      { what: "a ping during the rollout", detail: `${sent} sent, ${Math.max(0, lost - 1)} lost`, ...(lost > 1 && { failure: `${lost} lost` }) },
      await leavesAs(sandbox, "in the transit topology", "vm1", "192.0.2.1", ["172.18.0.11"]),
    ];
  },
} satisfies Scenario;
