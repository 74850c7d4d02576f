import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Running, Sandbox } from "@pulumi-ovn/sandbox";
import { openSsh, quote } from "@pulumi-ovn/sandbox/testing";
import { until } from "./until";

const PORT = 2222;

/** Variables that programs of a host need. */
const VARIABLES = /^(PATH|LD_LIBRARY_PATH|OVS_\w+|OVN_\w+)=/;

/** Connects a socket with standard input and output, as `nc -U` does. */
const CONNECT = `#!/bin/sh
exec ${quote(process.execPath)} -e 'const s=require("net").connect(process.argv[1]);process.stdin.pipe(s).pipe(process.stdout)' "$1"
`;

/** The program date(1), whose clock differs by the seconds in a file. */
const dateOf = (file: string): string => `#!/bin/sh
exec ${DATE} -d "@$(($(${DATE} +%s) + $(cat ${quote(file)})))" "$@"
`;
const DATE = "/usr/bin/date";

/** Hosts of a sandbox that are reached by ssh over the network. Keys, settings and programs are in a folder of their own. */
export class SshHosts implements AsyncDisposable {
  readonly #servers: Running[] = [];

  private constructor(
    private readonly sandbox: Sandbox,
    private readonly folder: string,
    private readonly ssh: string,
  ) {}

  /** @param addresses by host, each configured on the host already */
  static async start(sandbox: Sandbox, addresses: Readonly<Record<string, string>>): Promise<SshHosts> {
    const folder = await mkdtemp(join(tmpdir(), "ssh-"));
    const { sshd, ssh, keygen, env } = await openSsh();
    const own = { env: { ...process.env, ...env } };
    const file = (name: string) => join(folder, name);
    for (const name of ["host", "user"]) await promisify(execFile)(keygen, ["-q", "-t", "ed25519", "-N", "", "-C", name, "-f", file(name)], own);
    const [hostKey, userKey] = await Promise.all(["host.pub", "user.pub"].map((name) => readFile(file(name), "utf8")));
    await writeFile(file("authorized"), userKey!);
    await writeFile(
      file("known"),
      Object.values(addresses)
        .map((address) => `[${address}]:${PORT} ${hostKey}`)
        .join(""),
    );
    // A shell that reads no file of the user's: it can wait for a lock, or say something.
    await writeFile(file("passwd"), `root:x:0:0::${folder}:/bin/sh\nsshd:x:65533:65534::/run/sshd:/bin/false\n`);
    await writeFile(
      file("ssh"),
      `#!/bin/sh\n${Object.entries(env)
        .map(([name, value]) => `export ${name}=${quote(value)}\n`)
        .join("")}exec ${quote(ssh)} -F ${quote(file("config"))} "$@"\n`,
    );
    await writeFile(file("connect"), CONNECT);
    await mkdir(file("programs"));
    await writeFile(file("programs/date"), dateOf(file("clock")));
    await writeFile(file("clock"), "0");
    for (const name of ["ssh", "connect", "programs/date"]) await chmod(file(name), 0o755);
    const settings = [
      `IdentityFile ${file("user")}`,
      "IdentitiesOnly yes",
      `UserKnownHostsFile ${file("known")}`,
      "GlobalKnownHostsFile none",
      "BatchMode yes",
    ];
    const names = Object.entries(addresses).map(([name, address]) => `Host ${name}\n  HostName ${address}\n  Port ${PORT}\n`);
    await writeFile(file("config"), `${names.join("")}Host *\n${settings.map((line) => `  ${line}\n`).join("")}`);
    const hosts = new SshHosts(sandbox, folder, file("ssh"));
    try {
      await Promise.all(Object.entries(addresses).map(([name, address]) => hosts.#serve(name, address, sshd, env)));
    } catch (error) {
      await hosts[Symbol.asyncDispose]();
      throw error;
    }
    return hosts;
  }

  /** Words of a command that leads to a shell of a host. */
  command(host: string): string[] {
    return [this.ssh, host];
  }

  /** Zones and hosts in a file of targets. @param timeout seconds for an answer */
  targets(timeout?: number) {
    const { zones, hosts } = this.sandbox.targets;
    const over = (host: string, endpoint: string) => `exec:${[...this.command(host), join(this.folder, "connect"), endpoint.slice("unix:".length)].join(" ")}`;
    return {
      zones: Object.fromEntries(
        Object.entries(zones).map(([name, zone]) => [name, { northbound: over(name, zone.northbound), southbound: over(name, zone.southbound), timeout }]),
      ),
      hosts: Object.fromEntries(
        Object.entries(hosts).map(([name, host]) => [name, { ...host, openvswitch: over(name, host.openvswitch), command: this.command(name), timeout }]),
      ),
    };
  }

  /** Makes the clocks of all hosts differ from the machine's. @param seconds ahead */
  async setClocks(seconds: number): Promise<void> {
    await writeFile(join(this.folder, "clock"), String(seconds));
  }

  async #serve(host: string, address: string, sshd: string, env: Readonly<Record<string, string>>): Promise<void> {
    const { stdout } = await this.sandbox.exec(host, ["env"]);
    const variables = stdout
      .split("\n")
      .filter((line) => VARIABLES.test(line))
      .map((line) => line.replace(/^PATH=/, `PATH=${join(this.folder, "programs")}:`));
    const settings = join(this.folder, `${host}.config`);
    await writeFile(
      settings,
      `Port ${PORT}
ListenAddress ${address}
HostKey ${join(this.folder, "host")}
AuthorizedKeysFile ${join(this.folder, "authorized")}
PidFile none
StrictModes no
UsePAM no
PermitRootLogin prohibit-password
SetEnv ${variables.map((line) => JSON.stringify(line)).join(" ")}
`,
    );
    // Users of the server and of its separated part, only in this host's view of the files.
    const script = `mkdir -p /run/sshd && mount --bind ${quote(join(this.folder, "passwd"))} /etc/passwd && exec env ${Object.entries(env)
      .map(([name, value]) => quote(`${name}=${value}`))
      .join(" ")} ${quote(sshd)} -D -E ${quote(join(this.folder, `${host}.log`))} -f ${quote(settings)}`;
    this.#servers.push(await this.sandbox.spawn(host, ["sh", "-c", script], "ignore"));
    await until(async () => (await readFile(join(this.folder, `${host}.log`), "utf8").catch(() => "")).includes("Server listening"));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const server of this.#servers) server.signal("SIGKILL");
    await Promise.all(this.#servers.map(({ exit }) => exit));
    await rm(this.folder, { recursive: true, force: true });
  }
}
