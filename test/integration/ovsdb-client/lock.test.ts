import { connect, type OvsdbClient } from "@pulumi-ovn/ovsdb-client";
import { failure } from "../../support/failure";
import { type Meddler, Proxy } from "../../support/ovsdb-proxy";
import { cluster, standalone } from "../../support/ovsdb-server";
import { until } from "../../support/until";

let server: Awaited<ReturnType<typeof standalone>>;
let other: OvsdbClient;
let proxy: Proxy | undefined;
let client: OvsdbClient;
/** Change of the proxy to messages; default: none. */
let meddle: Meddler = () => false;

beforeAll(async () => {
  server = await standalone();
  other = await connect(server.endpoint, { database: "Test" });
});
beforeEach(async () => {
  meddle = () => false;
  proxy = await Proxy.start(server.socket, (request, pair) => meddle(request, pair));
  client = await connect(proxy.endpoint, { database: "Test", reconnect: { initialDelay: 10, maxDelay: 20 } });
});
afterEach(async () => {
  await client.close();
  await proxy!.stop();
});
afterAll(async () => {
  await other.close();
  await server.remove();
});

/** Checks that no client holds the lock or waits for it: another client acquires it immediately. */
async function free(name: string): Promise<void> {
  await client.echo();
  const lock = await other.lock(name);
  await lock.acquired({ signal: AbortSignal.timeout(5000) });
  await lock.release();
}
/** The server's answers come when this is called. */
function held(method: string): Promise<() => void> {
  return new Promise((resolve) => {
    meddle = (request, pair) => {
      if (request.method === method) {
        pair.hold();
        resolve(() => pair.server.resume());
      }
      return false;
    };
  });
}

describe.each(["lock", "steal"] as const)("%s", (method) => {
  test("a reply after the timeout: an error, and no client has the lock", async () => {
    const answers = held(method);
    const error = failure(client[method]("late", { timeout: 50 }));
    const release = await answers;
    expect(await error).toMatchObject({ code: "OVSDB_TIMEOUT", message: `${method}: no reply within the timeout` });
    release();
    await free("late");
    expect(proxy!.of("unlock").map(({ params }) => params)).toEqual([["late"]]);
  });

  test("an AbortSignal after the request: an error, and no client has the lock", async () => {
    const controller = new AbortController();
    const answers = held(method);
    const error = failure(client[method]("aborted", { signal: controller.signal }));
    const release = await answers;
    controller.abort(new Error("enough"));
    expect(await error).toMatchObject({ code: "OVSDB_ABORTED", message: `${method} was aborted: enough`, cause: { message: "enough" } });
    release();
    await free("aborted");
  });

  test("an AbortSignal before the call: nothing is sent", async () => {
    expect((await failure(client[method]("before", { signal: AbortSignal.abort() }))).code).toBe("OVSDB_ABORTED");
    await free("before");
    expect([proxy!.of(method), proxy!.of("unlock")]).toEqual([[], []]);
  });

  test("a lost connection before the reply: the request is sent on the next one", async () => {
    let cuts = 0;
    meddle = (request, pair) => request.method === method && cuts++ < 2 && (pair.cut(), true);
    const lock = await client[method]("again");
    await lock.acquired();
    expect([lock.held, proxy!.of(method).length]).toEqual([true, 3]);
    await lock.release();
  });

  test("no connection until the timeout: an error with the reason, and no later request", async () => {
    await proxy!.stop();
    await until(() => !client.connected);
    const error = await failure(client[method]("unsent", { timeout: 60 }));
    expect(error.code).toBe("OVSDB_CONNECTION");
    expect(error.message).toMatch(new RegExp(`${method} could not be sent within its timeout: .*connect ENOENT`));
    proxy = await Proxy.start(server.socket);
  });

  test("a name that this client already has is refused, and the lock stays", async () => {
    const lock = await client.lock("mine");
    expect(await failure(client[method]("mine"))).toMatchObject({ code: "OVSDB_RPC", error: "already locked" });
    expect([lock.held, (await other.lock("mine")).held]).toEqual([true, false]);
    expect(await client.transact([{ op: "assert", lock: "mine" }])).toEqual([{}]);
    await lock.release();
    const again = await client[method]("mine");
    await again.release();
    await other.close();
    other = await connect(server.endpoint, { database: "Test" });
  });

  test("close before the reply", async () => {
    const answers = held(method);
    const error = failure(client[method]("closing"));
    await answers;
    await client.close();
    expect(await error).toMatchObject({ code: "OVSDB_CONNECTION" });
    expect((await failure(client[method]("closed"))).message).toContain("the client was closed");
  });
});

describe("acquired", () => {
  const queued = async (name: string) => {
    const holder = await other.lock(name);
    return { holder, lock: await client.lock(name) };
  };

  test("is rejected after release, also pending calls", async () => {
    const { holder, lock } = await queued("released");
    const waiting = [failure(lock.acquired()), failure(lock.acquired())];
    await lock.release();
    for (const error of [...(await Promise.all(waiting)), await failure(lock.acquired())]) {
      expect(error).toMatchObject({ code: "OVSDB_ABORTED", message: 'the lock "released" was released' });
    }
    await holder.release();
  });

  test("is rejected after close, also pending calls", async () => {
    const { holder, lock } = await queued("closed");
    const waiting = failure(lock.acquired());
    await client.close();
    for (const error of [await waiting, await failure(lock.acquired())]) {
      expect(error).toMatchObject({ code: "OVSDB_CONNECTION", message: `${proxy!.endpoint}: the client was closed` });
    }
    await lock.release();
    await holder.release();
  });

  test("is rejected with a lost connection of a client without reconnect", async () => {
    await using single = await connect(proxy!.endpoint, { database: "Test", reconnect: false });
    const holder = await other.lock("single");
    const lock = await single.lock("single");
    const waiting = failure(lock.acquired());
    proxy!.cut();
    expect((await waiting).code).toBe("OVSDB_CONNECTION");
    expect((await failure(lock.acquired())).code).toBe("OVSDB_CONNECTION");
    await holder.release();
  });

  test("survives reconnects", async () => {
    const { holder, lock } = await queued("reconnects");
    const waiting = lock.acquired();
    proxy!.cut();
    await until(() => proxy!.of("lock").length === 2);
    await holder.release();
    await waiting;
    expect(lock.held).toBe(true);
    await lock.release();
  });

  test("ends by its signal, which keeps the place in the queue", async () => {
    const { holder, lock } = await queued("signal");
    expect(await failure(lock.acquired({ signal: AbortSignal.abort("no more") }))).toMatchObject({
      code: "OVSDB_ABORTED",
      message: 'the wait for the lock "signal" was aborted: no more',
    });
    await holder.release();
    await lock.acquired();
    await lock.release();
  });
});

test("the server's reports after release are ignored", async () => {
  const holder = await other.lock("released_early");
  const lock = await client.lock("released_early");
  const events: string[] = [];
  lock.subscribe({ acquired: () => events.push("acquired"), lost: () => events.push("lost") });
  const released = lock.release();
  await holder.release();
  await released;
  expect([lock.held, events]).toEqual([false, []]);
  await free("released_early");
});

test("a lock released during the repeated request after a reconnect is not held, whatever the answer", async () => {
  const lock = await client.lock("asked_again");
  const answers = held("lock");
  proxy!.cut();
  const answer = await answers;
  const released = lock.release();
  answer();
  await released;
  expect(lock.held).toBe(false);
  await free("asked_again");
});

test("a lock requested while the leader moves is held at the new leader, or reported as lost", async () => {
  const group = await cluster();
  try {
    await using moving = await connect(group.endpoints, { database: "Test", connectTimeout: 20_000, reconnect: { initialDelay: 20 } });
    const leader = group.member(moving.endpoint);
    const transfer = leader.appctl("cluster/failure-test", "transfer-leadership");
    const locks = [];
    for (let turn = 0; group.member(moving.endpoint) === leader || turn < 20; turn++) locks.push(await moving.lock(`moving_${turn}`));
    await transfer;
    await Promise.all(locks.map((lock) => lock.acquired()));
    const results = await Promise.all(locks.map((lock) => moving.transact([{ op: "assert", lock: lock.name }])));
    expect(results).toEqual(locks.map(() => [{}]));
  } finally {
    await group.remove();
  }
});
