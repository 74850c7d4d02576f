import { join } from "node:path";
import type { BgpExposureArgs, RowSet } from "@pulumi-ovn/provider";
import { binaries, type Sandbox, type UpOptions } from "@pulumi-ovn/sandbox";
import { hostEnvironment, programEnvironment, projectRoot, type Result } from "@pulumi-ovn/sandbox/testing";
import type { Uml } from "./uml";

const UP = `require("./sandbox").up(JSON.parse(require("fs").readFileSync(0))).then(({ folder, hosts }) => console.log(JSON.stringify({ folder, hosts })))`;

/** Writes rows as resources do, one after the other. */
const WRITE = `
const { connect } = require("./ovsdb-client"), { ensureRows, removeRows } = require("./provider/dist/backends/rows/engine");
(async () => {
  const { endpoint, writes } = JSON.parse(require("fs").readFileSync(0));
  const client = await connect(endpoint, { database: "OVN_Northbound" });
  for (const { owner, set, gone } of writes) await (gone ? removeRows({ client, owner }, set) : ensureRows({ client, owner }, set, {}));
  await client.close();
})();
`;

const EXPOSE = `
const { bgpExposure } = require("./provider/dist/kinds/exposure/kind"), { Connections } = require("./provider/dist/targets");
(async () => {
  const { zones, args } = JSON.parse(require("fs").readFileSync(0));
  const targets = new Connections(zones), spec = bgpExposure.schema.parse(args);
  console.log(JSON.stringify(bgpExposure.render(spec, await bgpExposure.observe(spec, { targets })).set));
  await targets.close();
})();
`;

export interface RowWrite {
  readonly owner: string;
  readonly set: RowSet;
  /** The rows go, and come otherwise. */
  readonly gone?: boolean;
}

/** A sandbox in a guest, of one host. */
export class GuestSandbox implements Pick<Sandbox, "exec" | "script" | "hosts" | "folder"> {
  private constructor(
    private readonly guest: Uml,
    readonly folder: string,
    readonly hosts: Sandbox["hosts"],
    private readonly programs: Awaited<ReturnType<typeof binaries>>,
  ) {}

  static async up(guest: Uml, options: UpOptions): Promise<GuestSandbox> {
    const programs = await binaries();
    const { folder, hosts } = JSON.parse(await node(guest, UP, options)) as Pick<Sandbox, "folder" | "hosts">;
    return new GuestSandbox(guest, folder, hosts, programs);
  }

  /** Endpoint of the host's zone or switch, as the guest reaches it. */
  endpoint(database: "ovnnb_db" | "ovnsb_db" | "db"): string {
    return `unix:${this.folder}/node1/${database}.sock`;
  }

  exec(place: string, argv: readonly string[], { input }: { readonly input?: string } = {}): Promise<Result> {
    return this.#inside(place, argv, input);
  }

  /** Runs a shell script in the namespaces that all namespaces are in. */
  script(text: string): Promise<Result> {
    return this.#inside(undefined, ["sh", "-se"], text);
  }

  #inside(place: string | undefined, argv: readonly string[], input?: string): Promise<Result> {
    const own = this.hosts.some(({ name }) => name === place) ? hostEnvironment(join(this.folder, place!)) : {};
    const common = programEnvironment(this.programs);
    const at = (file: string) => join(this.folder, file);
    const env = { ...common, PATH: [...(place === undefined ? [] : [at(`${place}/bin`)]), at("bin"), common.PATH].join(":"), ...own };
    return this.guest.run({ argv, env, sandbox: [this.folder, place], ...(input !== undefined && { input }) });
  }

  async write(...writes: readonly RowWrite[]): Promise<void> {
    await node(this.guest, WRITE, { endpoint: this.endpoint("ovnnb_db"), writes });
  }

  /** The rows of an exposure with mode "agent" of the host. */
  async exposure(args: Partial<BgpExposureArgs>): Promise<RowSet> {
    const zones = { node1: { northbound: this.endpoint("ovnnb_db"), southbound: this.endpoint("ovnsb_db") } };
    return JSON.parse(
      await node(this.guest, EXPOSE, { zones, args: { zone: "node1", mode: "agent", name: "all", chassis: ["node1"], asNumber: 64513, ...args } }),
    ) as RowSet;
  }
}

async function node(guest: Uml, program: string, input: object): Promise<string> {
  const script = 'cd "$0"; exec "$@"';
  const { code, stdout, stderr } = await guest.run({ argv: ["sh", "-c", script, projectRoot, process.execPath, "-e", program], input: JSON.stringify(input) });
  if (code !== 0) throw new Error(stderr);
  return stdout;
}
