import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { chmod, readFile, rename, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { quote } from "../../sandbox/binaries";
import { cacheFolder } from "../../sandbox/cache";
import { findOnPath } from "../../sandbox/debian-tree";
import { exportLines } from "../../sandbox/host-script";
import type { Result } from "../../sandbox/process";

/** A Linux kernel that is an ordinary program, and makes devices that this machine's kernel may not: Debian's user-mode-linux. */
const KERNEL = "linux.uml";
const MODULES = "/usr/lib/uml/modules";

/** Modules of it, in the order in which they need each other. */
const LOADED = ["lib/crc-ccitt", "net/ipv6/ipv6", "net/llc/llc", "net/802/stp", "net/bridge/bridge", "drivers/net/veth", "drivers/net/tun", "drivers/net/vrf"];

/** Milliseconds after which a guest does not come up any more; it takes five seconds. */
const BOOTED = 120_000;

const needed: Readonly<Record<string, boolean>> = {
  [`${KERNEL} of Debian's package user-mode-linux`]: findOnPath(KERNEL) !== undefined,
  [`${MODULES} of Debian's package user-mode-linux`]: existsSync(MODULES),
  // Every Debian has it, which can't be said of kmod.
  "perl, by which modules are loaded": findOnPath("perl") !== undefined,
  "the user root, whose files those of the guest are": process.getuid?.() === 0,
};

/** What a guest needs, and this machine lacks; undefined: it can have one. */
export const lackedByGuests = Object.keys(needed).find((what) => !needed[what]);

/**
 * A running guest: on the machine's own files, but with devices and /run of its own, and with no network to the machine. It runs
 * shell scripts that come as files, side by side. Calls of the system are ten times as slow in it as outside, and a big process
 * that starts another one takes seconds: let a shell do it.
 */
export class Uml implements AsyncDisposable {
  #count = 0;
  #ended = false;
  #console = "";

  private constructor(
    private readonly folder: string,
    kernel: ChildProcess,
  ) {
    kernel.once("close", () => (this.#ended = true));
    for (const stream of [kernel.stdout!, kernel.stderr!]) stream.on("data", (data: Buffer) => (this.#console += data.toString()));
  }

  static async boot(): Promise<Uml> {
    const folder = mkdtempSync(join(tmpdir(), "uml-"));
    mkdirSync(join(folder, "own"));
    await writeFile(join(folder, "serve.pl"), SERVE);
    await writeFile(join(folder, "init"), firstProcess(folder));
    await chmod(join(folder, "init"), 0o755);
    const kernel = spawn(KERNEL, ["rootfstype=hostfs", "rw", "mem=2G", `init=${join(folder, "init")}`, `uml_dir=${folder}`, "con=null", "con0=null,fd:1"], {
      env: { ...process.env, TMPDIR: "/dev/shm" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const guest = new Uml(folder, kernel);
    const late = setTimeout(() => kernel.kill("SIGKILL"), BOOTED).unref();
    await guest.#answer("up");
    clearTimeout(late);
    return guest;
  }

  /** A folder that only the guest sees the files of, where sockets can be. */
  get own(): string {
    return join(this.folder, "own");
  }

  /** Runs a script to its end; what it leaves in the background goes on. */
  async sh(script: string, input = ""): Promise<Result> {
    const at = (name: string) => join(this.folder, name);
    const number = ++this.#count;
    await writeFile(at(`${number}.in`), input);
    await writeFile(at(`${number}.part`), script);
    await rename(at(`${number}.part`), at(`${number}.sh`));
    const [, code, length, text] = /^(\d+) (\d+)\n(.*)$/s.exec(await this.#answer(`${number}.done`))!;
    const bytes = Buffer.from(text!, "latin1");
    return { code: Number(code), stdout: bytes.subarray(0, Number(length)).toString(), stderr: bytes.subarray(Number(length)).toString() };
  }

  async #answer(name: string): Promise<string> {
    const path = join(this.folder, name);
    while (!existsSync(path)) {
      if (this.#ended) throw new Error(`the guest has ended: ${this.#console}`);
      await sleep(10);
    }
    return readFile(path, "latin1");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await writeFile(join(this.folder, "end"), "");
    while (!this.#ended) await sleep(10);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** It loads modules and powers off by the calls themselves, init_module(2) and reboot(2) of x86-64. */
const firstProcess = (folder: string): string => `#!/bin/sh
${exportLines({ PATH: [dirname(process.execPath), process.env["PATH"]].join(delimiter), HOME: process.env["HOME"] ?? "/root", PULUMI_OVN_CACHE: cacheFolder(), PULUMI_OVN_RUN: `${folder}/own`, TMPDIR: `${folder}/own`, PULUMI_OVN_PATIENCE: "6" })}
mount -t proc none /proc
mount -t sysfs none /sys
mount -t tmpfs none /run
mount -t tmpfs none "$TMPDIR"
ln -s /proc/self/fd/0 /dev/stdin
for module in ${LOADED.join(" ")}; do
  perl -e 'open F, "<:raw", $ARGV[0] or die $!; local $/; my ($code, $options) = (<F>, ""); syscall(175, $code, length $code, $options) == 0 or die "$ARGV[0]: $!\\n"' "${MODULES}/$(uname -r)/kernel/$module.ko"
done
exec perl ${quote(`${folder}/serve.pl`)} ${quote(folder)}
`;

const SERVE = `use IO::Handle;
use POSIX ":sys_wait_h";
my ($folder) = @ARGV;
my $own = "$folder/own";
my ($next, %running) = (1);
sub text { open my $file, "<:raw", $_[0] or return ""; local $/; return <$file> // "" }
sub tell_all { open my $file, ">:raw", "$folder/part" or die $!; print $file $_[1]; $file->flush; $file->sync; close $file; rename "$folder/part", "$folder/$_[0]" }
tell_all("up", "up");
until (-e "$folder/end") {
  while (-e "$folder/$next.sh") {
    my $pid = fork // die $!;
    if (!$pid) {
      open STDIN, "<", "$folder/$next.in"; open STDOUT, ">", "$own/$next.out"; open STDERR, ">", "$own/$next.err";
      exec "sh", "$folder/$next.sh";
    }
    $running{$pid} = $next++;
  }
  while ((my $pid = waitpid -1, WNOHANG) > 0) {
    my ($code, $number) = ($? & 127 ? 128 + ($? & 127) : $? >> 8, delete $running{$pid});
    next unless defined $number;
    my $out = text("$own/$number.out");
    tell_all("$number.done", "$code " . length($out) . "\\n$out" . text("$own/$number.err"));
  }
  select undef, undef, undef, 0.01;
}
my $none = "";
syscall 169, 0xfee1dead, 0x28121969, 0x4321fedc, $none;
`;
