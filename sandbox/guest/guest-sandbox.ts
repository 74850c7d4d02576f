import { join } from "node:path";
import { SandboxError } from "../kit/errors";
import type { Result } from "../kit/process";
import { projectRoot } from "../kit/project-root";
import type { Sandbox } from "../lifecycle/sandbox";
import { hostEnvironment } from "../plan/host-script";
import type { UpOptions } from "../plan/layout";
import { type Binaries, binaries, programEnvironment } from "../tools/binaries";
import type { Uml } from "./uml";

const UP = `require("./sandbox").up(JSON.parse(require("fs").readFileSync(0))).then(({ folder, hosts }) => console.log(JSON.stringify({ folder, hosts })))`;

/** A sandbox in a guest. It ends with the guest. */
export class GuestSandbox implements Pick<Sandbox, "exec" | "script" | "hosts" | "folder"> {
  constructor(
    private readonly guest: Uml,
    readonly folder: string,
    readonly hosts: Sandbox["hosts"],
    private readonly programs: Binaries,
  ) {}

  static async up<T extends GuestSandbox>(this: new (...args: ConstructorParameters<typeof GuestSandbox>) => T, guest: Uml, options: UpOptions): Promise<T> {
    const programs = await binaries();
    const { folder, hosts } = JSON.parse(await runNode(guest, ["-e", UP], options)) as Pick<Sandbox, "folder" | "hosts">;
    return new this(guest, folder, hosts, programs);
  }

  /** Runs a program in a namespace (`ext`, `node1`, `vm1`) to its end. */
  exec(namespace: string, argv: readonly string[], { input }: { readonly input?: string } = {}): Promise<Result> {
    return this.#inside(namespace, argv, input);
  }

  /** Runs a shell script in the namespace that contains all others. */
  script(text: string): Promise<Result> {
    return this.#inside(undefined, ["sh", "-se"], text);
  }

  /** Runs a Node program in the guest, outside the sandbox's namespaces; returns its output. */
  node(args: readonly string[], input: object): Promise<string> {
    return runNode(this.guest, args, input);
  }

  #inside(namespace: string | undefined, argv: readonly string[], input?: string): Promise<Result> {
    const host = this.hosts.find(({ name }) => name === namespace);
    const own = host === undefined ? {} : hostEnvironment(join(this.folder, host.name), join(this.folder, host.zone));
    const common = programEnvironment(this.programs);
    const at = (file: string) => join(this.folder, file);
    const env = { ...common, PATH: [...(namespace === undefined ? [] : [at(`${namespace}/bin`)]), at("bin"), common.PATH].join(":"), ...own };
    return this.guest.run({ argv, env, sandbox: [this.folder, namespace], ...(input !== undefined && { input }) });
  }
}

async function runNode(guest: Uml, args: readonly string[], input: object): Promise<string> {
  const argv = ["sh", "-c", 'cd "$0"; exec "$@"', projectRoot, process.execPath, ...args];
  const { code, stdout, stderr } = await guest.run({ argv, input: JSON.stringify(input) });
  if (code !== 0) throw new SandboxError("command-failed", `${args[0]} ended with status ${code} in the guest`, stderr);
  return stdout;
}
