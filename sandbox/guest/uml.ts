import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, type FSWatcher, mkdirSync, mkdtempSync, rmSync, watch } from "node:fs";
import { chmod, readFile, writeFile } from "node:fs/promises";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { cacheFolder } from "../kit/cache";
import type { Result } from "../kit/process";
import { exportLines, quote } from "../kit/shell";
import { guestKernel } from "./guest-kernel";

/** Modules of the guest's kernel, in the order of their dependencies. */
const LOADED = ["lib/crc-ccitt", "net/ipv6/ipv6", "net/llc/llc", "net/802/stp", "net/bridge/bridge", "drivers/net/veth", "drivers/net/tun", "drivers/net/vrf"];

/** Options of a guest. */
export interface GuestOptions {
  /** Further modules to load, in the order of their dependencies, by their paths below `kernel` without `.ko`. Default: none. */
  readonly modules?: readonly string[];
}

/** A program in the guest. */
export interface GuestProgram {
  readonly argv: readonly string[];
  /** Added to the environment of the guest's first process. */
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** The folder of the sandbox that it runs in, as the guest has it, and the name of its namespace there: that of all namespaces by default. */
  readonly sandbox?: readonly [folder: string, namespace?: string | undefined];
}

/** Milliseconds after which a guest does not come up any more; it takes five seconds. */
const BOOTED = 120_000;

/**
 * Kills a guest's processes, which continue when only their kernel is killed. The kernel puts them in a group; this shell kills the group when
 * the other end of its fourth stream closes.
 */
export const ENDED = 'exec 4<&0; "$0" "$@" <&4 3<&- 4<&- & exec 4<&- < /dev/null > /dev/null 2>&1; read -r _ <&3; kill -s KILL -- -$! $!';

/**
 * A running guest: on the machine's own files, but with devices and /run of its own, and with no network to the machine. It runs
 * programs side by side, and ends with the process that has booted it, however that ends. Calls of the system are ten times as slow
 * in it as outside, to start a program takes a tenth of a second, and a big process that starts another one takes seconds.
 */
export class Uml implements AsyncDisposable {
  #count = 0;
  #console = "";
  readonly #closed: Promise<unknown>;
  readonly #ended: Promise<never>;
  readonly #answers = new Map<string, () => void>();
  readonly #folder: FSWatcher;

  private constructor(
    private readonly folder: string,
    private readonly kernel: ChildProcess,
  ) {
    this.#closed = once(kernel, "close");
    kernel.stdout!.once("end", () => this.#kill()); // its processes have ended, and the shell need not wait any longer
    this.#ended = this.#closed.then((): never => {
      throw new Error(`the guest has ended: ${this.#console}`);
    });
    this.#ended.catch(() => undefined); // reported to the callers that wait for an answer
    for (const stream of [kernel.stdout!, kernel.stderr!]) stream.on("data", (data: Buffer) => (this.#console += data.toString()));
    kernel.stdin!.on("error", () => undefined); // of a guest that has ended
    // The machine's kernel renames the guest's files, and reports the rename.
    this.#folder = watch(folder, (_, name) => this.#answers.get(String(name))?.());
  }

  static async boot({ modules = [] }: GuestOptions = {}): Promise<Uml> {
    const kernelFiles = await guestKernel();
    const folder = mkdtempSync(join(tmpdir(), "uml-"));
    mkdirSync(join(folder, "own"));
    await writeFile(join(folder, "serve.pl"), SERVE);
    await writeFile(join(folder, "init"), firstProcess(folder, kernelFiles.modules, [...LOADED, ...modules]));
    await chmod(join(folder, "init"), 0o755);
    const options = ["rootfstype=hostfs", "rw", "mem=2G", `init=${join(folder, "init")}`, `uml_dir=${folder}`, "con=null", "con0=fd:0,fd:1"];
    const kernel = spawn("sh", ["-c", ENDED, kernelFiles.program, ...options], {
      env: { ...process.env, TMPDIR: "/dev/shm" },
      stdio: ["pipe", "pipe", "pipe", "pipe"],
    });
    const guest = new Uml(folder, kernel);
    const late = setTimeout(() => guest.#kill(), BOOTED).unref();
    try {
      await guest.#answer("up");
      return guest;
    } catch (error) {
      await guest[Symbol.asyncDispose]();
      throw error;
    } finally {
      clearTimeout(late);
    }
  }

  /** A folder that only the guest sees the files of, where sockets can be. */
  get own(): string {
    return join(this.folder, "own");
  }

  /** Runs a program to its end; what it leaves in the background continues. */
  async run({ argv, env = {}, input = "", sandbox: [folder, namespace] = ["", undefined] }: GuestProgram): Promise<Result> {
    const at = (name: string) => join(this.folder, name);
    const number = ++this.#count;
    const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
    const words = [folder, namespace ?? "", String(variables.length), ...variables, ...argv];
    await Promise.all([writeFile(at(`${number}.in`), input), writeFile(at(`${number}.run`), words.join("\0"))]);
    const answer = this.#answer(`${number}.done`);
    this.kernel.stdin!.write(`${number}\n`);
    const [, code, length, text] = /^(\d+) (\d+)\n(.*)$/s.exec(await answer)!;
    const bytes = Buffer.from(text!, "latin1");
    return { code: Number(code), stdout: bytes.subarray(0, Number(length)).toString(), stderr: bytes.subarray(Number(length)).toString() };
  }

  async #answer(name: string): Promise<string> {
    const path = join(this.folder, name);
    const told = new Promise<void>((resolve) => this.#answers.set(name, resolve));
    // A folder is watched from some moment on, which may be late for the first answer.
    if (!existsSync(path)) await Promise.race([told, this.#ended]);
    this.#answers.delete(name);
    return readFile(path, "latin1");
  }

  /** As the end of this process would. */
  #kill(): void {
    (this.kernel.stdio[3] as Socket).destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.kernel.stdin!.write("0\n");
    await this.#closed;
    this.#folder.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** It loads modules and powers off by the calls themselves, init_module(2) and reboot(2) of x86-64. */
const firstProcess = (folder: string, modules: string, loaded: readonly string[]): string => `#!/bin/sh
${exportLines({ PATH: [dirname(process.execPath), process.env["PATH"]].join(delimiter), HOME: process.env["HOME"] ?? "/root", PULUMI_OVN_CACHE: cacheFolder(), PULUMI_OVN_RUN: `${folder}/own`, TMPDIR: `${folder}/own`, PULUMI_OVN_PATIENCE: "6" })}
stty -echo
mount -t proc none /proc
mount -t sysfs none /sys
mount -t tmpfs none /run
mount -t tmpfs none "$TMPDIR"
ln -s /proc/self/fd/0 /dev/stdin
for module in ${loaded.join(" ")}; do
  perl -e 'open F, "<:raw", $ARGV[0] or die $!; local $/; my ($code, $options) = (<F>, ""); syscall(175, $code, length $code, $options) == 0 or die "$ARGV[0]: $!\\n"' ${quote(modules)}"/$(uname -r)/kernel/$module.ko"
done
exec perl ${quote(`${folder}/serve.pl`)} ${quote(folder)}
`;

/**
 * Its input is the console, a line for each program, and 0 in the end. It enters a sandbox itself, by setns(2) of x86-64: to start nsenter takes longer than most programs.
 */
const SERVE = `use IO::Handle;
use POSIX ":sys_wait_h";
my ($folder) = @ARGV;
my $own = "$folder/own";
my %running;
sub text { open my $file, "<:raw", $_[0] or return ""; local $/; return <$file> // "" }
sub status { $? & 127 ? 128 + ($? & 127) : $? >> 8 }
sub enter {
  my ($pid, @kinds) = @_;
  my @files = map { open my $file, "<", "/proc/$pid/ns/$_" or die "$_ of $pid: $!\\n"; $file } @kinds;
  syscall(308, fileno $_, 0) == 0 or die "namespaces of $pid: $!\\n" for @files;
}
sub run {
  my ($number) = @_;
  open STDIN, "<", "$folder/$number.in"; open STDOUT, ">", "$own/$number.out"; open STDERR, ">", "$own/$number.err";
  my ($sandbox, $namespace, $count, @words) = split /\\0/, text("$folder/$number.run"), -1;
  for (splice @words, 0, $count) { my ($name, $value) = split /=/, $_, 2; $ENV{$name} = $value }
  if ($sandbox ne "") {
    my $first = int text("$sandbox/unshare.pid");
    enter(int text("/proc/$first/task/$first/children"), "pid", "net", "mnt");
    my $pid = fork // die $!; # whose children are in the namespace of processes
    if ($pid) { waitpid $pid, 0; POSIX::_exit(status) }
    enter(int text("$sandbox/$namespace/pid"), "net", "mnt") if $namespace ne "";
  }
  exec { $words[0] } @words or die "$words[0]: $!\\n";
}
sub tell_all { open my $file, ">:raw", "$folder/part" or die $!; print $file $_[1]; $file->flush; $file->sync; close $file; rename "$folder/part", "$folder/$_[0]" }
pipe my $ended, my $tell or die $!;
$SIG{CHLD} = sub { syswrite $tell, "." };
my ($wanted, $lines) = ("", "");
vec($wanted, fileno $_, 1) = 1 for *STDIN, $ended;
tell_all("up", "up");
SERVING: while (1) {
  # A signal that comes just before it waits does not wake it.
  my $ready = $wanted;
  $ready = "" if select($ready, undef, undef, 1) <= 0;
  sysread $ended, my $dots, 100 if vec $ready, fileno $ended, 1;
  if (vec $ready, fileno STDIN, 1) {
    sysread STDIN, $lines, 4096, length $lines or last;
    while ($lines =~ s/^(\\d+)\\n//) {
      last SERVING if $1 == 0;
      my ($number, $pid) = ($1, fork // die $!);
      if (!$pid) { eval { run($number) }; print STDERR $@; POSIX::_exit(127) }
      $running{$pid} = $number;
    }
  }
  while ((my $pid = waitpid -1, WNOHANG) > 0) {
    my ($code, $number) = (status, delete $running{$pid});
    next unless defined $number;
    my $out = text("$own/$number.out");
    tell_all("$number.done", "$code " . length($out) . "\\n$out" . text("$own/$number.err"));
  }
}
my $none = "";
syscall 169, 0xfee1dead, 0x28121969, 0x4321fedc, $none;
`;
