import { SandboxError } from "../kit/errors";
import { duration } from "../kit/progress";
import { down } from "../lifecycle/down";
import { type Running, Sandbox } from "../lifecycle/sandbox";
import { statusOf, statusText } from "../lifecycle/status";
import { up } from "../lifecycle/up";
import { parseArguments, type Request, usage } from "./arguments";
import { removeStack } from "./stack";

const execute = async (request: Request): Promise<number> => {
  const started = performance.now();
  const say = (text: string): void => void process.stderr.write(`${text}\n`);
  switch (request.command) {
    case "help":
      process.stdout.write(usage);
      return 0;
    case "up": {
      const sandbox = await up(request, say);
      say(`sandbox ${sandbox.name}: ${sandbox.namespaces.length} namespaces up in ${duration(performance.now() - started)}: ${sandbox.namespaces.join(" ")}`);
      return 0;
    }
    case "down": {
      const instance = await down(request.name);
      if (instance !== undefined) await removeStack(instance);
      say(`sandbox ${request.name}: down`);
      return 0;
    }
    case "status": {
      const sandbox = await Sandbox.open(request.name);
      if (request.as === "zones") process.stdout.write(`${JSON.stringify(sandbox.zones)}\n`);
      else if (request.as === "targets") process.stdout.write(`${JSON.stringify(sandbox.targets, null, 2)}\n`);
      else if (request.as === "json") process.stdout.write(`${JSON.stringify(await statusOf(sandbox), null, 2)}\n`);
      else process.stdout.write(statusText(await statusOf(sandbox)));
      return 0;
    }
    case "exec": {
      const sandbox = await Sandbox.open(request.name);
      const early: NodeJS.Signals[] = [];
      const program: { running?: Running } = {};
      const pass = (signal: NodeJS.Signals) => {
        if (program.running) program.running.signal(signal);
        else early.push(signal);
      };
      // Registered before the program starts, which may be ready before this process continues. From a terminal the program receives the signal too;
      // a second one is harmless.
      for (const signal of ["SIGTERM", "SIGHUP", "SIGQUIT"] as const) process.on(signal, pass);
      process.on("SIGINT", () => {
        if (!process.stdin.isTTY) pass("SIGINT");
      });
      program.running = await sandbox.spawn(request.namespace, request.argv, "inherit");
      for (const signal of early) pass(signal);
      return program.running.exit;
    }
  }
};

const main = async (): Promise<number> => {
  try {
    return await execute(parseArguments(process.argv.slice(2), process.env));
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error;
    process.stderr.write(`error: ${error.message}\n`);
    return error.code === "usage" ? 2 : 1;
  }
};

void main().then((code) => (process.exitCode = code));
