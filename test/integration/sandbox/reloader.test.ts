import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { frrK8sScripts, until } from "@pulumi-ovn/sandbox/testing";

/** Replaces Python and FRR's program. Records what it loads. A configuration has a name, the seconds of its loading, and an exit code. */
const RELOAD = `#!/bin/sh
for file; do :; done
read name seconds code < $file
echo "loading $name"
mkdir busy 2> /dev/null || echo $name >> beside-another
sleep $seconds
echo $name >> loaded
rmdir busy
exit $code
`;

let folder: string;
let reloader: ChildProcess;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "reloader-"));
  for (const name of ["bin", "frr-k8s"]) mkdirSync(join(folder, name));
  program("python3", RELOAD);
  program("vtysh", "#!/bin/sh\ntail -n1 loaded\n");
});
afterEach(() => {
  process.kill(-reloader.pid!, "SIGKILL"); // its children, too
  rmSync(folder, { recursive: true, maxRetries: 50, retryDelay: 20 }); // they may be writing their last
});

const program = (name: string, text: string) => writeFileSync(join(folder, "bin", name), text, { mode: 0o755 });

async function start(patience?: number): Promise<void> {
  const site = {
    folder,
    node: "node1",
    kubeconfig: "",
    reload: "reload.py",
    programs: { controller: "", status: "", crds: "" },
    ...(patience !== undefined && { patience }),
  };
  reloader = spawn("sh", ["-c", frrK8sScripts(site)["frr-k8s-reloader"]], {
    stdio: "ignore",
    detached: true,
    env: { ...process.env, PATH: `${folder}/bin:${process.env["PATH"]}` },
  });
  await until("the reloader", 20_000, async () => read("frr-k8s-reloader.pid") !== "");
}

const read = (name: string) => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), "utf8") : "");
const statusOf = () => read("frr-k8s/.status").trim().split(" ");

/** As the controller does: writes, and sends the signal to the process of that number. */
function write(name: string, seconds = 0, code = 0): void {
  writeFileSync(join(folder, "frr-k8s/frr.conf"), `${name} ${seconds} ${code}`);
  process.kill(Number(read("frr-k8s-reloader.pid")), "SIGHUP");
}

/** Result that the controller reads after an event. */
async function told(since: string | undefined): Promise<{ time: string; result: string; running: string; error: string }> {
  await until("a status", 60_000, async () => statusOf()[0] !== (since ?? "") && statusOf().length === 2);
  const [time = "", result = ""] = statusOf();
  return { time, result, running: read("frr-k8s/running-config").trim(), error: read("frr-k8s/last-error") };
}

it("loads the last written configuration, one load after the other, for any frequency of signals", async () => {
  await start();
  for (let index = 0; index < 20; index++) {
    write(`c${index}`, 0.01);
    if (index % 3 === 0) await new Promise((resolve) => setTimeout(resolve, index));
  }
  await until("the last one", 60_000, async () => read("frr-k8s/running-config").trim() === "c19" && statusOf()[1] === "success");
  expect(read("loaded").trim().split("\n").at(-1)).toBe("c19");
  expect(read("beside-another")).toBe("");
});

it("reports why a load failed or hung, and loads again at the next signal", async () => {
  await start(5);
  write("wrong", 0, 1);
  const failed = await told(undefined);
  expect(failed).toMatchObject({ result: "failure", error: "loading wrong\n" });
  write("hanging", 600);
  const hung = await told(failed.time);
  expect(hung).toMatchObject({ result: "failure", running: "wrong", error: "loading hanging\nit did not end within 5 s\n" });
  write("right");
  expect(await told(hung.time)).toMatchObject({ result: "success", running: "right", error: "" });
});

it("treats a load as failed if FRR does not report its configuration afterwards, and keeps the former report", async () => {
  await start();
  write("one");
  const { time } = await told(undefined);
  program("vtysh", "#!/bin/sh\necho half; echo 'failed to connect to any daemons' >&2; exit 1\n");
  write("two");
  expect(await told(time)).toMatchObject({ result: "failure", running: "one", error: "loading two\nfailed to connect to any daemons\n" });
});
