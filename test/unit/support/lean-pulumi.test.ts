import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { projectRoot } from "../../../sandbox/pulumi-cli";

const { lean } = jest.requireActual<{ lean(request: string, filename: string, load: () => unknown): unknown }>("../../support/lean-modules.cjs");

const RARE = [
  "typescript/",
  "@npmcli/arborist/",
  "normalize-package-data/",
  "@pulumi/pulumi/automation/",
  "@opentelemetry/sdk-trace-base/",
  "@opentelemetry/exporter-zipkin/",
  "zod/v4/locales/fr.",
];

/** What Pulumi's programs load at once, to look into functions. */
const hooks = JSON.stringify(join(projectRoot, "node_modules/@pulumi/pulumi/runtime/closure/v8Hooks.js"));

/** What a script prints in a process of its own, which is one of Pulumi's programs, and which of the rare modules it has loaded after it. */
async function run(
  script: string,
  { env = {}, cwd = projectRoot }: { env?: NodeJS.ProcessEnv; cwd?: string } = {},
): Promise<{ printed: unknown; loaded: string[] }> {
  const program = `
    const pulumi = require(${JSON.stringify(join(projectRoot, "node_modules/@pulumi/pulumi"))});
    const tracing = require(${JSON.stringify(join(projectRoot, "node_modules/@pulumi/pulumi/cmd/run/tracing.js"))});
    const { z } = require(${JSON.stringify(join(projectRoot, "node_modules/zod"))});
    (async () => {
      const printed = await (async () => { ${script} })();
      const files = Object.keys(require.cache);
      console.log(JSON.stringify({ printed, loaded: ${JSON.stringify(RARE)}.filter((name) => files.some((file) => file.includes("/node_modules/" + name))) }));
    })();`;
  const { stdout } = await promisify(execFile)(process.execPath, ["-e", program], { env: { ...process.env, ...env }, cwd });
  return JSON.parse(stdout) as never;
}

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), "lean-"))));
afterAll(() => rm(folder, { recursive: true, force: true }));

it("keeps from processes that a test starts what Pulumi's package loads for nothing, and a flag of V8's that it sets for nothing", async () => {
  const flag = `require(${hooks}); try { return typeof new Function("a", "return %GetOptimizationStatus(a)"); } catch ({ name }) { return name; }`;
  expect(await run(flag)).toEqual({ printed: "SyntaxError", loaded: [] });
  expect(await run(flag, { env: { NODE_OPTIONS: "" } })).toEqual({ printed: "function", loaded: RARE });
});

it.each(["/repository/sdk/dist/young-heap.js", "/stack/node_modules/pulumi-ovn/dist/young-heap.js"])("keeps V8's flags from %s, which sets one", (file) => {
  const load = jest.fn(() => "loaded");
  const { setFlagsFromString } = lean("node:v8", file, load) as { setFlagsFromString(flag: string): void };
  setFlagsFromString("--no-such-flag");
  expect(load).not.toHaveBeenCalled();
  expect(lean("node:v8", file.replace("young", "other"), load)).toBe("loaded");
  expect(lean("node:fs", file, load)).toBe("loaded");
});

it("loads it when it is needed", async () => {
  expect(await run("const { text } = await pulumi.runtime.serializeFunction((a) => a + 1); return text.includes('a + 1')")).toEqual({
    printed: true,
    loaded: ["typescript/"],
  });
  const message = "z.config(z.locales.fr()); return z.string().safeParse(1).error.issues[0].message.split(' ')[0]";
  expect(await run(message)).toEqual({ printed: "Entrée", loaded: ["zod/v4/locales/fr."] });
  expect(await run("return [typeof pulumi.automation.LocalWorkspace.create, 'Stack' in pulumi.automation]")).toEqual({
    printed: ["function", true],
    loaded: ["@pulumi/pulumi/automation/"],
  });
  const span = "tracing.start('http://127.0.0.1:9/spans'); return tracing.newSpan('one').spanContext().traceId.length";
  expect(await run(span)).toEqual({ printed: 32, loaded: ["@opentelemetry/sdk-trace-base/", "@opentelemetry/exporter-zipkin/"] });
});

it("finds a function's packages as Pulumi does, by a list that only npm's own normalization can read", async () => {
  await writeFile(join(folder, "package.json"), JSON.stringify({ name: "stack", version: "1.0.0", dependencies: ["left"] }));
  await mkdir(join(folder, "node_modules/left"), { recursive: true });
  await writeFile(join(folder, "node_modules/left/package.json"), JSON.stringify({ name: "left", version: "1.0.0" }));
  const paths = "return [...(await pulumi.runtime.computeCodePaths()).keys()]";
  expect(await run(paths, { cwd: folder })).toEqual({ printed: ["node_modules/left"], loaded: ["@npmcli/arborist/", "normalize-package-data/"] });
});

it("begins a debugger's session when a function is looked into", async () => {
  const { printed } = await run(`
    const { Session } = require("node:inspector");
    const { connect } = Session.prototype;
    let begun = 0;
    Session.prototype.connect = function () { begun++; return connect.call(this); };
    await require(${hooks}).isInitializedAsync();
    const before = begun;
    const greeting = "hello";
    const { text } = await pulumi.runtime.serializeFunction(() => greeting);
    return [before, text.includes('"hello"'), begun];`);
  expect(printed).toEqual([0, true, 1]);
});

it("leaves a module alone that somebody else asks for", async () => {
  expect(await run("return require('typescript').version === require('typescript/package.json').version")).toEqual({ printed: true, loaded: ["typescript/"] });
});

it("takes a program for JavaScript where its project says so", async () => {
  const asked = async (settings: string) => {
    await writeFile(join(folder, "Pulumi.yaml"), `name: trial\nruntime:\n  name: nodejs\n${settings}`);
    return (await run("return process.env.PULUMI_NODEJS_TYPESCRIPT", { cwd: folder, env: { PULUMI_NODEJS_TYPESCRIPT: "true" } })).printed;
  };
  expect([await asked(""), await asked("  options:\n    typescript: false\n")]).toEqual(["true", "false"]);
  await rm(join(folder, "Pulumi.yaml"));
  expect((await run("return process.env.PULUMI_NODEJS_TYPESCRIPT", { cwd: folder, env: { PULUMI_NODEJS_TYPESCRIPT: "true" } })).printed).toBe("true");
});

it("notes no stack for each promise of Pulumi's unless it is asked for leaks, and tells of those that are left as ever", async () => {
  const stack = `
    const { debuggablePromise, leakedPromises } = require(${JSON.stringify(join(projectRoot, "node_modules/@pulumi/pulumi/runtime/debuggable.js"))});
    const [promise, lines] = [new Promise(() => undefined), ({ stack }) => stack.split("\\n").length];
    debuggablePromise(promise, "a promise of a test");
    return [lines({ stack: promise._debugStackTrace }) > 1, promise._debugCtx, leakedPromises()[0].size, lines(new Error()) > 1];`;
  expect((await run(stack)).printed).toEqual([false, "a promise of a test", 1, true]);
  expect((await run(stack, { env: { PULUMI_DEBUG_PROMISE_LEAKS: "1" } })).printed).toEqual([true, "a promise of a test", 1, true]);
});
