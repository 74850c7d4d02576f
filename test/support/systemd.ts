import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { binaries, type Running, type Sandbox } from "@pulumi-ovn/sandbox";
import { projectRoot, quote, until } from "@pulumi-ovn/sandbox/testing";

/** A unit of this repository, and settings of a drop-in. */
export interface Unit {
  readonly name: string;
  readonly dropIn: string;
}

const SYSTEMD = "/usr/lib/systemd/systemd";

/** Programs that the units run by name. */
const PROGRAMS = ["ovs-ofctl", "ovs-vsctl", "ovs-appctl", "ip", "vtysh"];

/** Shell commands that set `$pid` to the number of systemd, as seen in the sandbox. */
const pidRead = (folder: string): string =>
  `read -r outer < ${quote(join(folder, "pid"))}; read -r pid rest < "/proc/$outer/task/$outer/children" || [ -n "$pid" ]`;

/**
 * A systemd on a host of a sandbox: the first process of a process namespace, with control groups and a file system of its own. In that,
 * the paths of databases, sockets, files of updates and packages are those of a real host. It needs root, as control groups do.
 */
export class Systemd implements AsyncDisposable {
  private constructor(
    private readonly sandbox: Sandbox,
    private readonly host: string,
    private readonly folder: string,
    private readonly running: Running,
  ) {}

  static async start(sandbox: Sandbox, host: string, units: readonly Unit[]): Promise<Systemd> {
    if (!existsSync(SYSTEMD)) throw new Error(`there is no ${SYSTEMD}; install the machine's package systemd`);
    const folder = join(sandbox.folder, host, "systemd");
    await mkdir(folder);
    await writeFile(join(folder, "start"), OUTSIDE);
    await writeFile(join(folder, "first"), await firstProcess(join(sandbox.folder, host), units));
    const systemd = new Systemd(sandbox, host, folder, await sandbox.spawn(host, ["sh", join(folder, "start"), folder], "ignore"));
    try {
      await until("systemd", 60_000, async () => (await systemd.run("systemctl", "is-active", "test.target")).stdout === "active\n");
      return systemd;
    } catch (error) {
      await systemd[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Runs a program next to the services. */
  run(...argv: string[]) {
    const script = `${pidRead(this.folder)}; exec nsenter --target "$pid" --mount --pid -- "$@"`;
    return this.sandbox.exec(this.host, ["sh", "-ec", script, "sh", ...argv], { timeout: 60_000 });
  }

  /** Properties of a unit. */
  async show<Name extends string>(unit: string, ...names: Name[]): Promise<Record<Name, string>> {
    const { stdout } = await this.run("systemctl", "show", unit, ...names.map((name) => `--property=${name}`));
    const lines = stdout.trim().split("\n");
    return Object.fromEntries(lines.map((line) => /^([^=]*)=(.*)$/.exec(line)!.slice(1))) as Record<Name, string>;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.sandbox.exec(this.host, ["sh", "-ec", `${pidRead(this.folder)}; kill -s KILL "$pid"`]);
    await this.running.exit;
  }
}

/** Starts systemd in a control group of its own, which is removed after it. */
const OUTSIDE = `set -e
mount --make-rprivate /
mount -t tmpfs none /mnt
mkdir /mnt/groups
mount -t cgroup2 none /mnt/groups
group=$(mktemp -d /mnt/groups/pulumi-ovn-XXXXXX)
sh -ec 'echo $$ > "$2/cgroup.procs"; echo $$ > "$1/pid"; exec unshare --pid --fork --kill-child --mount --cgroup --uts --ipc sh -e "$1/first"' sh "$1" "$group" > "$1/log" 2>&1 || true
until find "$group" -depth -type d -exec rmdir {} + 2> /dev/null; do sleep 0.1; done
`;

/**
 * Makes the root file system and starts systemd. Only the units under test run, with those that they ask for.
 * @param folder of the host in the sandbox
 */
async function firstProcess(folder: string, units: readonly Unit[]): Promise<string> {
  const programs = await binaries();
  const tree = "/opt/programs";
  const [machine] = programs.path;
  // Services do not see the folders of users, where a private tree of programs is.
  const inTree = (text: string) => (programs.origin === "tree" ? text.replaceAll(join(machine!, ".."), tree) : text);
  const wrapper = (name: string): string => {
    const { file, args } = programs.command(name, []);
    const environment = Object.entries(programs.env).map(([variable, value]) => `${variable}=${quote(inTree(value))}`);
    const more = name === "vtysh" ? ["--config_dir", "/etc/frr"] : [];
    return `#!/bin/sh\nexec env ${environment.join(" ")} ${[file, ...args].map((word) => quote(inTree(word))).join(" ")} ${more.join(" ")} "$@"\n`;
  };
  const file = (path: string, text: string, mode = "644") => `cat > ${path} <<'END'\n${text}END\nchmod ${mode} ${path}`;
  const unitFiles = ({ name, dropIn }: Unit): string => {
    const at = `etc/systemd/system/${name}`;
    return `cp opt/pulumi-ovn/agent/systemd/${name} ${at}\nmkdir ${at}.d\n${file(`${at}.d/test.conf`, `[Service]\nStandardError=append:/run/openvswitch/systemd/${name}.log\n${dropIn}`)}`;
  };
  const bind = (from: string, to: string) => `mkdir -p ${to}; mount --rbind ${quote(from)} ${to}`;
  return `
root=${quote(folder)}/systemd/root
mkdir "$root"; mount -t tmpfs none "$root"; cd "$root"
mkdir dev etc var run tmp proc sys opt root home; chmod 1777 tmp; ln -s /run var/run
${bind("/usr", "usr")}
for link in bin sbin lib lib64; do ln -s usr/$link $link; done
# Only the units under test: others would change settings of the machine.
mount -t tmpfs none usr/lib/systemd/system-generators
mount -t tmpfs none run
for target in sysinit basic shutdown; do cp usr/lib/systemd/system/$target.target run; done
mount -t tmpfs none usr/lib/systemd/system
mv run/*.target usr/lib/systemd/system
for device in null zero full random urandom tty; do : > dev/$device; mount --bind /dev/$device dev/$device; done
mount -t proc proc proc
mount --bind proc/sys proc/sys
mount -o remount,bind,ro proc/sys
mount --bind /proc/sys/net proc/sys/net
mount -t sysfs -o ro sysfs sys
mount -t cgroup2 none sys/fs/cgroup
cp -L /etc/passwd /etc/group /etc/nsswitch.conf /etc/ld.so.cache etc
${bind(folder, "run/openvswitch")}
if [ -d /run/frr ]; then ${bind("/run/frr", "run/frr")}; mkdir etc/frr; cp ${quote(folder)}/vtysh.conf etc/frr; fi
${bind(join(folder, "agent"), "var/lib/pulumi-ovn")}
${bind(projectRoot, "opt/pulumi-ovn")}
${programs.origin === "tree" ? bind(join(machine!, ".."), `.${tree}`) : ""}
mount -t tmpfs none usr/local/bin
cp ${quote(process.execPath)} usr/local/bin/node
${PROGRAMS.map((name) => file(`usr/local/bin/${name}`, wrapper(name), "755")).join("\n")}
mkdir -p etc/systemd/system
${units.map(unitFiles).join("\n")}
${file("etc/systemd/system/test.target", "[Unit]\nDescription=Test\n")}
: > etc/machine-id
mkdir old
pivot_root . old
cd /
umount -l /old
exec env -i container=test PATH=/usr/local/bin:/usr/bin:/usr/sbin ${SYSTEMD} --system --unit=test.target --log-target=console --log-level=info
`;
}
