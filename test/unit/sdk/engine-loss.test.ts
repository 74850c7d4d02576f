import { spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { join } from "node:path";
import { endWithoutReader } from "../../../sdk/engine-loss";

const HOST = "/home/me/stack/node_modules/@pulumi/pulumi/cmd/run/index.js";
const failure = (code: string) => Object.assign(new Error(code), { code });

describe("a stack program", () => {
  it("takes no notice of a standard error that nobody reads", () => {
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

  it("ends when the engine is gone", async () => {
    const provider = start("pipe");
    await once(provider.stdout!, "data");
    expect(provider.exitCode).toBeNull();
    const said = once(provider.stdout!, "data");
    provider.stdin!.end();
    expect(await once(provider, "exit")).toEqual([0, null]);
    expect(String(await said)).toBe("stopped\n");
  });

  it("that was started by hand stays", async () => {
    const provider = start("ignore");
    await once(provider.stdout!, "data");
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(provider.exitCode).toBeNull();
    provider.kill("SIGKILL");
    await once(provider, "exit");
  });
});
