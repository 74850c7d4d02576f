import { statusOf, up } from "@pulumi-ovn/sandbox";
import { median, timed } from "../kit/measure";
import type { Benchmark } from "../kit/report";

export const sandbox: Benchmark = {
  name: "sandbox",
  title: "A sandbox of three hosts",
  method: "Three hosts with OVN and Open vSwitch, workloads and upstream router, programs fetched before; median of three.",
  async run() {
    const times: number[] = [];
    const memory: number[] = [];
    for (let round = 0; round < 3; round++) {
      let running: Awaited<ReturnType<typeof up>> | undefined;
      times.push(await timed(async () => (running = await up({ name: `bench-${process.pid}`, hosts: 3 }))));
      memory.push((await statusOf(running!)).memory);
      await running!.down();
    }
    const [time, bytes] = [median(times), median(memory)];
    return [
      { what: "time", ours: `${(time / 1000).toFixed(2)} s`, peer: "", ratio: "", goal: "at most 3 s", met: time <= 3000 },
      { what: "memory", ours: `${(bytes / 1e6).toFixed(0)} MB`, peer: "", ratio: "", goal: "at most 300 MB", met: bytes <= 300e6 },
    ];
  },
};
