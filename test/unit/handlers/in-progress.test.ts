import { InProgress } from "@pulumi-ovn/provider/testing";

const open = () => {
  let end!: () => void;
  const call = new Promise<void>((resolve) => (end = resolve));
  return { call, end };
};

describe("a write that continues after the engine was killed", () => {
  it("is reported, and the next operation waits for it", async () => {
    const inProgress = new InProgress();
    const { call, end } = open();
    const reports: unknown[] = [];
    inProgress.signal.addEventListener("abort", () => reports.push(inProgress.signal.reason));
    const running = inProgress.run(() => call);
    let stopped = false;
    const stopping = inProgress.stop(60_000).then(() => (stopped = true));
    await new Promise(setImmediate);
    expect([reports, stopped]).toEqual([[new Error("Pulumi's engine has ended")], false]);
    end();
    await Promise.all([running, stopping]);
  });

  it("is not waited for after its end or failure, and not indefinitely", async () => {
    const inProgress = new InProgress();
    await inProgress.run(() => Promise.resolve());
    await expect(inProgress.run(() => Promise.reject(new Error("of the call")))).rejects.toThrow("of the call");
    await inProgress.stop(2 ** 30);
    void inProgress.run(() => open().call);
    await inProgress.stop(1);
  });
});
