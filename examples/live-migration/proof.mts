import { type Check, pingable, type Scenario } from "@pulumi-ovn/sandbox";

export default {
  async prove({ sandbox, example }): Promise<Check[]> {
    const before = await pingable(sandbox, "before", "vm3", "203.203.0.17");
    await example.run("config", "set", "--path", "guests.vm1.to", "node2");
    await example.changes("up");
    const while_ = await pingable(sandbox, "while it may be in both places", "vm3", "203.203.0.17");
    await sandbox.moveWorkload("vm1", "node2");
    await example.run("config", "set", "--path", "guests.vm1.node", "node2");
    await example.changes("up");
    return [
      before, while_,
      await pingable(sandbox, "arrived on node2", "vm3", "203.203.0.17"),
      await pingable(sandbox, "and out, by its gateway as ever", "vm1", "192.0.2.1"),
    ];
  },
} satisfies Scenario;
