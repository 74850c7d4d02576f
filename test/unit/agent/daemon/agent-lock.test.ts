import type { OvsdbClient } from "@pulumi-ovn/ovsdb-client";
import { acquireAgentLock } from "@pulumi-ovn/agent/testing";

/** A client whose lock is taken by another client during a lost connection. Each request for the lock calls the next of `atQuestions`. */
function losing(atQuestions: ((client: { connected: boolean }) => void)[]) {
  let held = true;
  let lose = () => undefined as void;
  const lock = {
    get held() {
      return held;
    },
    acquired: async () => {
      atQuestions.shift()?.(client);
      throw new Error("not yet");
    },
    subscribe: ({ lost }: { lost: () => void }) => void (lose = lost),
  };
  const client = { connected: true, endpoint: "unix:/db.sock", lock: async () => lock };
  return { client: client as unknown as OvsdbClient, lose: () => ((held = false), lose()) };
}

test("an agent that loses its connection again before it receives the lock's state ends if another agent holds the lock", async () => {
  const flaps = (client: { connected: boolean }) => {
    client.connected = false;
    setTimeout(() => (client.connected = true), 100);
  };
  const { client, lose } = losing([() => undefined, flaps]);
  const ending = new AbortController();
  const { promise, resolve } = Promise.withResolvers<Error>();
  await acquireAgentLock(client, ending.signal, resolve);
  lose();
  expect(await promise).toMatchObject({ code: "OVN_AGENT_RUNNING", message: expect.stringContaining("(unix:/db.sock)") });
  ending.abort();
});
