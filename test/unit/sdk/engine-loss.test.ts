import { spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { join } from "node:path";
import { endWithoutReader } from "pulumi-ovn/testing";

const HOST = "/home/me/stack/node_modules/@pulumi/pulumi/cmd/run/index.js";
const failure = (code: string) => Object.assign(new Error(code), { code });

describe("a stack program", () => {
  it("ignores a standard error without a reader", () => {
    const stderr = new EventEmitter();
    endWithoutReader(HOST, stderr);
    expect(() => stderr.emit("error", failure("EPIPE"))).not.toThrow();
    expect(() => stderr.emit("error", failure("EIO"))).toThrow("EIO");
  });

  it.each(["/home/me/tool.js", "/home/me/cmd/run/index.js", undefined])("that is part of %s is left alone", (program) => {
    const stderr = new EventEmitter();
    endWithoutReader(program, stderr);
    expect(stderr.listenerCount("error")).toBe(0);
  });
});

describe("a provider", () => {
  const source = join(__dirname, "../../../sdk/engine-loss.ts");
  const program = `setInterval(() => {}, 1000); require(${JSON.stringify(source)}).endWithEngine(async () => console.log("stopped")); console.log("ready")`;
  const start = (stdin: "pipe" | "ignore") => spawn(process.execPath, ["-e", program], { stdio: [stdin, "pipe", "inherit"] });

  it("ends after its engine's end", async () => {
    const provider = start("pipe");
    await once(provider.stdout!, "data");
    expect(provider.exitCode).toBeNull();
    const said = once(provider.stdout!, "data");
    provider.stdin!.end();
    expect(await once(provider, "exit")).toEqual([0, null]);
    expect(String(await said)).toBe("stopped\n");
  });

  it("ends also if its engine is killed on a busy machine, during a call that never ends", async () => {
    const busy = Array.from({ length: 4 }, () => spawn(process.execPath, ["-e", "for (;;);"], { stdio: "ignore" }));
    // A call that never ends is given up after its time.
    const stuck = program.replace("async () =>", "() => new Promise((resolve) => setTimeout(resolve, 500)).then(() =>").replace(`"stopped")`, `"stopped"))`);
    const engine = `const { spawn } = require("node:child_process");
      spawn(process.execPath, ["-e", ${JSON.stringify(stuck)}], { stdio: ["pipe", "inherit", "inherit"] }); setInterval(() => {}, 1000);`;
    try {
      const said = await Promise.all(
        Array.from({ length: 6 }, async () => {
          const killed = spawn(process.execPath, ["-e", engine], { stdio: ["ignore", "pipe", "inherit"] });
          const texts: string[] = [];
          killed.stdout.on("data", (text: Buffer) => texts.push(String(text)));
          await once(killed.stdout, "data");
          killed.kill("SIGKILL");
          // The provider holds the other end, so the stream ends with it.
          await once(killed.stdout, "close");
          return texts.join("");
        }),
      );
      expect(said).toEqual(Array.from({ length: 6 }, () => "ready\nstopped\n"));
    } finally {
      for (const each of busy) each.kill("SIGKILL");
    }
  });

  it("stays if it was started manually", async () => {
    const provider = start("ignore");
    await once(provider.stdout!, "data");
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(provider.exitCode).toBeNull();
    provider.kill("SIGKILL");
    await once(provider, "exit");
  });
});
