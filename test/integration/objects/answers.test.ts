import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as immediate, setTimeout as sleep } from "node:timers/promises";
import { Cluster } from "@pulumi-ovn/provider/testing";

/** An answer, correct or not, of an API server or of a proxy in front of it. */
type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const folder = mkdtempSync(join(tmpdir(), "answers-"));
let server: Server;
let answers: Answer[];
let asked: string[];
let url: string;

const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}): Answer =>
  (_request, response) =>
    void response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
const busy = (status: number, after: string) => json({ kind: "Status", message: "later", reason: "Later" }, status, { "retry-after": after });
const hangUp: Answer = (request) => void request.socket.resetAndDestroy();
const KINDS = json({
  resources: [
    { name: "configmaps", kind: "ConfigMap", namespaced: true },
    { name: "configmaps/status", kind: "ConfigMap", namespaced: true },
  ],
});
const list = (names: string[], next?: string) =>
  json({ items: names.map((name) => ({ metadata: { name } })), metadata: { ...(next !== undefined && { continue: next }) } });

/** Each test has one of its own: a request that the test before has given up may arrive late, and would take an answer of this one. */
async function serve(port = 0): Promise<void> {
  server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.authorization ?? ""}`.trim());
    request.resume().on("end", () => answers.shift()!(request, response));
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  asked = [];
}
async function close(): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
}
beforeAll(async () => {
  await serve();
  // Loading the library takes longer than some of the timeouts below.
  await names([list([])]);
  await close();
});
beforeEach(() => serve());
afterEach(async () => {
  jest.restoreAllMocks();
  await close();
  expect(answers).toEqual([]);
});
afterAll(() => rmSync(folder, { recursive: true }));

function cluster(given: readonly Answer[], timeout = 20, user: object = { token: "t" }, tls: object = { "insecure-skip-tls-verify": true }): Cluster {
  answers = [...given];
  const path = join(folder, "kubeconfig");
  writeFileSync(
    path,
    JSON.stringify({
      "current-context": "c",
      contexts: [{ name: "c", context: { cluster: "s", user: "u" } }],
      users: [{ name: "u", user }],
      clusters: [{ name: "s", cluster: { server: url, ...tls } }],
    }),
  );
  return new Cluster({ kubeconfig: path, timeout }, { folder, environment: {} });
}

const MAP = { apiVersion: "v1", kind: "ConfigMap", namespace: "app", name: "a" };
const names = async (given: readonly Answer[], timeout?: number) =>
  (await cluster([KINDS, ...given], timeout).list("v1", "ConfigMap")).map(({ metadata }) => metadata.name);
const calls = () => asked.map((line) => line.replace(/ Bearer t$/, "")).slice(1);

it("reads a list page by page to its end", async () => {
  const found = await cluster([KINDS, list(["a", "b"], "p&2"), list(["c"], ""), list([])]).list("v1", "ConfigMap", { labels: "x=y" });
  expect(found.map(({ apiVersion, kind, metadata: { name } }) => `${apiVersion} ${kind} ${name}`)).toEqual([
    "v1 ConfigMap a",
    "v1 ConfigMap b",
    "v1 ConfigMap c",
  ]);
  expect(calls()).toEqual(["GET /api/v1/configmaps?labelSelector=x%3Dy", "GET /api/v1/configmaps?labelSelector=x%3Dy&continue=p%262"]);
  answers = [];
});

const expired = json({ kind: "Status", message: "too old", reason: "Expired" }, 410);

it("reads a list from its beginning again, once, if the server has dropped its next page", async () => {
  expect(await names([list(["a", "b"], "old"), expired, list(["b"], "new"), list(["c"])])).toEqual(["b", "c"]);
  expect(calls()).toEqual(["GET /api/v1/configmaps", "GET /api/v1/configmaps?continue=old", "GET /api/v1/configmaps", "GET /api/v1/configmaps?continue=new"]);
  asked = [];
  const given = [list(["a"], "old"), expired, list(["a"], "new"), expired];
  await expect(names(given)).rejects.toMatchObject({ code: "OVN_CLUSTER_ERROR", message: "ConfigMap (v1): the API server answers 410 Expired: too old" });
  expect(calls()).toHaveLength(4);
});

it("reports immediately a list that is dropped again", async () => {
  await expect(names([expired])).rejects.toMatchObject({ code: "OVN_CLUSTER_ERROR" });
  expect(calls()).toHaveLength(1);
});

it.each([429, 500, 503, 504])("repeats a request after %i with Retry-After", async (status) => {
  expect(await names([busy(status, "0"), busy(status, "0"), list(["a"])])).toEqual(["a"]);
  expect(calls()).toHaveLength(3);
});

it.each([429, 500, 502, 503, 504, 599])("repeats a request after %i without Retry-After", async (status) => {
  const failing = json({ message: "etcd is full" }, status);
  expect(await names([failing, failing, list(["a"])])).toEqual(["a"]);
  expect(calls()).toHaveLength(3);
});

it("repeats a write unchanged, and accepts that a repeated deletion finds nothing", async () => {
  const bodies: string[] = [];
  const told =
    (answer: Answer): Answer =>
    (request, response) => {
      bodies.push(`${request.method} ${request.headers["content-type"]}`);
      answer(request, response);
    };
  const [busyNow, made] = [json({ message: "busy" }, 503), json({ kind: "ConfigMap", metadata: { name: "a", uid: "u" } }, 201)];
  const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", namespace: "app" } };
  const written = await cluster([KINDS, told(busyNow), told(made)]).apply(object, { force: false, uid: undefined });
  expect(written.metadata.uid).toBe("u");
  expect(await cluster([KINDS, told(busyNow), told(json({ message: "not found" }, 404))]).delete(MAP, "u")).toBe(false);
  const [apply, remove] = ["PATCH application/apply-patch+yaml", "DELETE application/json"];
  expect(bodies).toEqual([apply, apply, remove, remove]);
});

/** As HTTP writes it, in whole seconds. */
const dateIn = (seconds: number) => new Date(Date.now() + seconds * 1000).toUTCString();

it("repeats a request at the server's date", async () => {
  expect(await names([busy(503, dateIn(-3600)), busy(503, dateIn(1)), list(["a"])])).toEqual(["a"]);
});

it("waits longer each time, up to a limit", async () => {
  const pauses: number[] = [];
  const timers = jest.requireActual<typeof import("node:timers/promises")>("node:timers/promises");
  const { setTimeout: real } = timers;
  const waits = jest.spyOn(timers, "setTimeout").mockImplementation((milliseconds, value, options) => {
    pauses.push(milliseconds!);
    return real(0, value, options);
  });
  try {
    expect(await names([...Array.from({ length: 7 }, () => json({}, 503)), list(["a"])])).toEqual(["a"]);
  } finally {
    waits.mockRestore();
  }
  expect(pauses).toEqual([200, 400, 800, 1600, 3200, 5000, 5000]);
});

it("reports the server's message if the wait's time ends before the next attempt", async () => {
  const failing = json({ message: "etcd is full" }, 500);
  const waiting = cluster([KINDS, ...Array.from({ length: 10 }, () => failing)]).list("v1", "ConfigMap", {}, AbortSignal.timeout(500));
  await expect(waiting).rejects.toMatchObject({ code: "OVN_CLUSTER_ERROR", message: "ConfigMap (v1): the API server answers 500: etcd is full" });
  answers = [];
  const silence: Answer = () => undefined;
  await expect(cluster([KINDS, failing, silence]).list("v1", "ConfigMap", {}, AbortSignal.timeout(1_500))).rejects.toMatchObject({ code: "OVN_CLUSTER_ERROR" });
});

it.each<[string, Answer, string]>([
  ["longer than the timeout", busy(429, "3600"), "OVN_CLUSTER_ERROR: ConfigMap (v1): the API server answers 429 Later: later"],
  ["until a late date", busy(503, dateIn(3600)), "OVN_CLUSTER_ERROR: ConfigMap (v1): the API server answers 503 Later: later"],
  ["with an answer that is final", busy(403, "0"), "OVN_FORBIDDEN: ConfigMap (v1): later"],
  ["for what it never does", json({ message: "not implemented" }, 501), "OVN_CLUSTER_ERROR: ConfigMap (v1): the API server answers 501: not implemented"],
  ["with another version", busy(505, "0"), "OVN_CLUSTER_ERROR: ConfigMap (v1): the API server answers 505 Later: later"],
  ["with another write in between", json({ message: "changed" }, 409), "OVN_CONTENTION: ConfigMap (v1): changed; run the update again"],
])("reports immediately a server that requests a pause %s", async (_what, answer, text) => {
  const error = await names([answer]).catch((thrown: Error & { code: string }) => thrown);
  expect(error).toMatchObject({ code: text.split(": ")[0], message: text.slice(text.indexOf(": ") + 2) });
  expect(calls()).toHaveLength(1);
});

it("reports a server that stays busy until the timeout", async () => {
  await expect(
    names(
      Array.from({ length: 5 }, () => busy(429, "1")),
      2,
    ),
  ).rejects.toMatchObject({ code: "OVN_CLUSTER_ERROR", message: "ConfigMap (v1): the API server answers 429 Later: later" });
  answers = [];
});

it("sends no credentials without TLS, unless configured", async () => {
  await expect(cluster([], 20, { token: "t" }, {}).list("v1", "ConfigMap")).rejects.toMatchObject({
    code: "OVN_KUBECONFIG",
    message:
      'the address of the kubeconfig\'s cluster "s" is http: without TLS; if that is meant, as with "kubectl proxy", give the cluster insecure-skip-tls-verify: true',
  });
  expect(asked).toEqual([]);
});

/** A user whose credential program gives another token each time. */
function counting(counter: string, expires: object): object {
  const program = `n=$(cat ${counter} 2>/dev/null || echo 0); echo $((n + 1)) > ${counter}; echo '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"t'$n'"${JSON.stringify(
    expires,
  )
    .slice(1, -1)
    .replace(/^(?=.)/, ",")}}}'`;
  return { exec: { apiVersion: "client.authentication.k8s.io/v1", command: "sh", args: ["-c", program] } };
}

const unauthorized = json({ message: "Unauthorized" }, 401);

it.each<[string, object]>([
  ["has expired", { expirationTimestamp: "2001-01-01T00:00:00Z" }],
  ["is to be used until the server refuses it", {}],
  ["was revoked before its time", { expirationTimestamp: "2999-01-01T00:00:00Z" }],
])("fetches credentials again once when a token %s", async (what, expires) => {
  const user = counting(join(folder, what.replaceAll(" ", "-")), expires);
  await cluster([KINDS, unauthorized, list([])], 20, user).list("v1", "ConfigMap");
  expect(asked.map((line) => line.split(" ").at(-1))).toEqual(["t0", "t0", "t1"]);
  asked = [];
  await expect(cluster([KINDS, unauthorized, unauthorized], 20, user).list("v1", "ConfigMap")).rejects.toMatchObject({ code: "OVN_CLUSTER_CREDENTIALS" });
  expect(asked).toHaveLength(3);
});

it("fetches credentials once for all refused calls", async () => {
  const waiting: (() => void)[] = [];
  const together: Answer = (request, response) => {
    if (waiting.push(() => unauthorized(request, response)) === 3) for (const answer of waiting) answer();
  };
  const user = counting(join(folder, "several"), {});
  const several = cluster([KINDS, together, together, together, list([]), list([]), list([])], 20, user);
  await several.isNamespaced(MAP);
  await Promise.all(["a", "b", "c"].map((namespace) => several.list("v1", "ConfigMap", { namespace })));
  expect(asked.map((line) => line.split(" ").at(-1))).toEqual(["t0", "t0", "t0", "t0", "t1", "t1", "t1"]);
});

it("connects again once if the server has closed the connection", async () => {
  expect(await names([hangUp, list(["a"])])).toEqual(["a"]);
  await expect(names([hangUp, hangUp])).rejects.toMatchObject({
    code: "OVN_CLUSTER_UNREACHABLE",
    message: expect.stringContaining(`${url} can't be reached: `),
  });
  // Each of the two occurs once, in any order.
  expect(await names([hangUp, json({}, 401), list(["a"])])).toEqual(["a"]);
});

it("waits for a restarting server, not for one that has never answered", async () => {
  const { port } = server.address() as AddressInfo;
  const client = cluster([KINDS, list(["a"]), list(["b"])]);
  await client.list("v1", "ConfigMap");
  await close();
  const waiting = client.list("v1", "ConfigMap");
  await expect(cluster(answers).list("v1", "ConfigMap")).rejects.toMatchObject({
    code: "OVN_CLUSTER_UNREACHABLE",
    message: expect.stringContaining("ECONNREFUSED"),
  });
  await serve(port);
  expect((await waiting).map(({ metadata }) => metadata.name)).toEqual(["b"]);
});

it("reports a server that refuses connections until the timeout", async () => {
  const client = cluster([KINDS, list(["a"])], 1);
  await client.list("v1", "ConfigMap");
  await close();
  await expect(client.list("v1", "ConfigMap")).rejects.toMatchObject({
    code: "OVN_CLUSTER_UNREACHABLE",
    message: expect.stringMatching(/can't be reached: connect ECONNREFUSED|did not answer within 1 s/),
  });
  await serve();
});

it.each<[string, Answer]>([
  ["a page", (_request, response) => void response.writeHead(200, { "content-type": "text/html" }).end("<html>log in</html>")],
  ["nothing", (_request, response) => void response.writeHead(200).end()],
  ["a number", json(7)],
])("reports a server that is not an API server: it answers %s", async (_what, answer) => {
  const text = "what answers 200 is not an API server: it sends no JSON object; does the kubeconfig's address lead to a proxy or a login page?";
  await expect(cluster([answer]).list("v1", "ConfigMap")).rejects.toMatchObject({ code: "OVN_CLUSTER_ERROR", message: `v1: ${text}` });
  await expect(names([answer])).rejects.toMatchObject({ message: `ConfigMap (v1): ${text}` });
  await expect(cluster([KINDS, answer]).get(MAP)).rejects.toMatchObject({ message: `ConfigMap app/a: ${text}` });
});

it("reports a missing kind if the server lists no kinds", async () => {
  await expect(cluster([json({})]).list("v1", "ConfigMap")).rejects.toMatchObject({ code: "OVN_KIND_MISSING" });
});

it("ends with a wait's timeout, which is not a cancellation, if the server does not answer", async () => {
  const silence: Answer = () => undefined;
  const waiting = cluster([KINDS, silence]).list("v1", "ConfigMap", {}, AbortSignal.timeout(300));
  await expect(waiting).rejects.toMatchObject({ code: "OVN_CLUSTER_UNREACHABLE", message: `${url} did not answer in the time that was left` });
});

describe("a request that several calls share", () => {
  /** An answer with the kinds that is held back until `let` is called. */
  function held(): { readonly kinds: Answer; readonly asked: Promise<void>; let(): void } {
    const [coming, free] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const kinds: Answer = (request, response) => (coming.resolve(), void free.promise.then(() => KINDS(request, response)));
    return { kinds, asked: coming.promise, let: () => free.resolve() };
  }

  it.each<[string, (first: AbortController) => void, string, AbortSignal | undefined]>([
    ["is cancelled", (first) => first.abort(), "OVN_ABORTED", new AbortController().signal],
    ["is over", (first) => first.abort(new DOMException("over", "TimeoutError")), "OVN_CLUSTER_UNREACHABLE", new AbortController().signal],
    ["is cancelled, and the other one has no end", (first) => first.abort(), "OVN_ABORTED", undefined],
  ])("does not fail for the others when the first call %s", async (_what, end, code, signal) => {
    const kinds = held();
    const shared = cluster([kinds.kinds, KINDS, list(["a"])]);
    const first = new AbortController();
    const [one, other] = [shared.list("v1", "ConfigMap", {}, first.signal), shared.list("v1", "ConfigMap", {}, signal)];
    await kinds.asked;
    end(first);
    await expect(one).rejects.toMatchObject({ code });
    expect(await other).toHaveLength(1);
    kinds.let();
  });

  it("continues for the others when one call ends", async () => {
    const kinds = held();
    const shared = cluster([kinds.kinds, list(["a"])]);
    const [one, second] = [shared.list("v1", "ConfigMap"), new AbortController()];
    await kinds.asked;
    const other = shared.list("v1", "ConfigMap", {}, second.signal);
    second.abort(new DOMException("over", "TimeoutError"));
    await expect(other).rejects.toMatchObject({ code: "OVN_CLUSTER_UNREACHABLE", message: `${url} did not answer in the time that was left` });
    kinds.let();
    expect(await one).toHaveLength(1);
  });
});

it("ends at the timeout if the credential program hangs", async () => {
  const held = join(folder, "held");
  writeFileSync(held, "");
  // The program ends when this test has, so it is still running when the call settles.
  const user = { exec: { apiVersion: "client.authentication.k8s.io/v1", command: "sh", args: ["-c", `while [ -e ${held} ]; do sleep 0.1; done`] } };
  const waiting = cluster([], 1, user).list("v1", "ConfigMap");
  await expect(waiting).rejects.toMatchObject({
    code: "OVN_CLUSTER_UNREACHABLE",
    message: "it did not answer within 1 s; the timeout is a setting of the cluster in the file of targets",
  });
  rmSync(held);
});

/**
 * A user whose credential program hangs at its first call until a file is deleted; a second file gets a line per call. The library does not
 * cache its token.
 */
function hangsOnce(held: string, calls: string): object {
  const program = `echo >> ${calls}; if [ "$(wc -l < ${calls})" = 1 ]; then while [ -e ${held} ]; do sleep 0.1; done; fi
    echo '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"second","expirationTimestamp":"2001-01-01T00:00:00Z"}}'`;
  return { exec: { apiVersion: "client.authentication.k8s.io/v1", command: "sh", args: ["-c", program] } };
}

it("runs the credential program again after it has hung for one call's timeout", async () => {
  const [held, calls] = [join(folder, "held"), join(folder, "calls")];
  writeFileSync(held, "");
  const hung = cluster([KINDS, list([])], 3, hangsOnce(held, calls));
  // A timeout reports nothing about the program, which may be slow: later calls wait for the same run.
  await expect(hung.list("v1", "ConfigMap", {}, AbortSignal.timeout(300))).rejects.toMatchObject({ message: "it did not answer in the time that was left" });
  await expect(Promise.all([hung.list("v1", "ConfigMap"), hung.list("v1", "ConfigMap")])).rejects.toMatchObject({
    message: expect.stringContaining("did not answer within 3 s"),
  });
  expect(readFileSync(calls, "utf8")).toBe("\n");
  expect(await hung.list("v1", "ConfigMap")).toEqual([]);
  expect([readFileSync(calls, "utf8"), asked.map((line) => line.split(" ").at(-1))]).toEqual(["\n\n", ["second", "second"]]);
  rmSync(held);
});

it("runs the credential program again for the call that has waited longest", async () => {
  const [held, calls] = [join(folder, "held"), join(folder, "calls")];
  writeFileSync(held, "");
  writeFileSync(calls, "");
  const hung = cluster([KINDS, list([]), list([])], 20, hangsOnce(held, calls));
  const waiting = () =>
    expect(hung.list("v1", "ConfigMap", {}, AbortSignal.timeout(300))).rejects.toMatchObject({ message: "it did not answer in the time that was left" });
  const start = Math.ceil(performance.now());
  const clock = jest.spyOn(performance, "now");
  const at = (seconds: number) => clock.mockReturnValue(start + seconds * 1000);
  try {
    at(0);
    await waiting();
    while (readFileSync(calls, "utf8") === "") await sleep(20);
    at(19.9);
    await waiting();
    expect(readFileSync(calls, "utf8")).toBe("\n");
    at(20);
    expect(await hung.list("v1", "ConfigMap")).toEqual([]);
    // Those that are there are kept for longer than a call may take.
    at(45);
    expect(await hung.list("v1", "ConfigMap")).toEqual([]);
  } finally {
    clock.mockRestore();
    rmSync(held);
  }
  expect([readFileSync(calls, "utf8"), asked.map((line) => line.split(" ").at(-1))]).toEqual(["\n\n", ["second", "second", "second"]]);
});

it.each<[string, AbortSignal, string]>([
  ["cancelled", AbortSignal.abort(), "OVN_ABORTED"],
  ["over", AbortSignal.abort(new DOMException("over", "TimeoutError")), "OVN_CLUSTER_UNREACHABLE"],
])("does not authenticate for a call that is %s", async (_what, signal, code) => {
  // An unhandled rejection of failing credentials would fail the test, too.
  const refused = cluster([], 20, { token: "t" }, {});
  await expect(refused.list("v1", "ConfigMap", {}, signal)).rejects.toMatchObject({ code });
  await immediate();
});

it("is cancelled while the server requests a pause", async () => {
  const controller = new AbortController();
  const waiting = cluster([KINDS, (request, response) => (busy(429, "10")(request, response), controller.abort())]).list(
    "v1",
    "ConfigMap",
    {},
    controller.signal,
  );
  await expect(waiting).rejects.toMatchObject({ code: "OVN_ABORTED" });
});

describe("an object in deletion", () => {
  const stuck = (uid = "u", finalizers: string[] | undefined = ["a.b/backup", "c"]) =>
    json({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", namespace: "app", uid, finalizers, deletionTimestamp: "2026-11-23T14:00:00Z" } });
  const last = json({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", namespace: "app", uid: "u" } });
  const gone = json({ message: "not found" }, 404);

  it.each<[string, Answer, boolean]>([
    ["is gone", json({ kind: "Status", status: "Success" }), false],
    ["was gone", gone, false],
    ["is shown once more", last, false],
    ["waits for finalizers", stuck(), true],
    ["waits for what is not a finalizer", stuck("u", []), true],
  ])("%s", async (_what, answer, kept) => {
    expect(await cluster([KINDS, answer]).delete(MAP, "u")).toBe(kept);
  });

  it.each<[string, Answer]>([
    ["it is gone", gone],
    ["another one has its name", stuck("other")],
  ])("is waited for until %s", async (_what, answer) => {
    await cluster([KINDS, stuck(), stuck("u", []), answer]).waitUntilDeleted(MAP, "u");
    expect(calls()).toEqual(Array.from({ length: 3 }, () => "GET /api/v1/namespaces/app/configmaps/a"));
  });

  it("is reported with its finalizers after the timeout", async () => {
    const { timeout } = AbortSignal;
    // Only the wait ends after 1 s. An answer of a busy machine may take longer.
    jest.spyOn(AbortSignal, "timeout").mockImplementation(() => timeout.call(AbortSignal, 600_000));
    const waiting = cluster([KINDS, ...Array.from({ length: 1_000 }, () => stuck())], 1).waitUntilDeleted(MAP, "u");
    await expect(waiting).rejects.toMatchObject({
      code: "OVN_CONTENTION",
      message: "ConfigMap app/a is being deleted, and waits for a.b/backup, c; not deleted within 1 s; run again when it is",
    });
    answers = [];
  });

  it("is reported with its finalizers if the server stops answering", async () => {
    const silence: Answer = () => undefined;
    const { timeout } = AbortSignal;
    let isSilent = false;
    const lastAnswer: Answer = (request, response) => (stuck()(request, response), (isSilent = true));
    // The rest of the wait ends immediately, and the time limit of a call never ends. The last answer may be slow on a busy machine.
    jest.spyOn(AbortSignal, "timeout").mockImplementation((milliseconds) => timeout.call(AbortSignal, isSilent && milliseconds < 1_000 ? 20 : 600_000));
    const waiting = cluster([KINDS, lastAnswer, ...Array.from({ length: 1_000 }, () => silence)], 1).waitUntilDeleted(MAP, "u");
    await expect(waiting).rejects.toMatchObject({
      code: "OVN_CONTENTION",
      message: expect.stringContaining("waits for a.b/backup, c; not deleted within 1 s"),
    });
    answers = [];
  });

  it("is waited for until the operation is cancelled", async () => {
    const controller = new AbortController();
    const waiting = cluster([KINDS, (request, response) => (stuck()(request, response), setTimeout(() => controller.abort(), 20))]).waitUntilDeleted(
      MAP,
      "u",
      controller.signal,
    );
    await expect(waiting).rejects.toMatchObject({ code: "OVN_ABORTED" });
    answers = [];
  });
});
