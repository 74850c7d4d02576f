import fc from "fast-check";

// Programs of an example are modules by themselves: Node runs them as they are.
const load = async () => ({
  ...(await import("../../../examples/live-migration/hook/events.ts")),
  ...(await import("../../../examples/live-migration/hook/places.ts")),
  ...(await import("../../../examples/live-migration/hook/follower.ts")),
});
let hook: Awaited<ReturnType<typeof load>>;
beforeAll(async () => {
  hook = await load();
});

describe("events", () => {
  const line = (what: string, guest = "'vm1'") => `2026-11-21 07:00:00.123+0000: event 'lifecycle' for domain ${guest}: ${what}`;

  test.each([
    ["Started Migrated", "comes"],
    ["Resumed Migrated", "runs"],
    ["Resumed Post-copy", "runs"],
    ["Stopped Failed", "gone"],
    ["Stopped Migrated", "gone"],
    ["Stopped Destroyed", "gone"],
    ["Started Booted", undefined],
    ["Resumed Unpaused", undefined],
    ["Suspended Migrated", undefined],
    ["Defined Added", undefined],
  ])("%s: %s", (text, what) => expect(hook.eventIn(line(text), "node2")).toEqual(what && { guest: "vm1", host: "node2", what }));

  test("have names with and without quotes, blanks and colons, and an optional time", () => {
    const guest = (text: string) => hook.eventIn(text, "h")?.guest;
    expect(guest(line("Stopped Failed", "vm1"))).toBe("vm1");
    expect(guest(line("Stopped Failed", "'a: b c'"))).toBe("a: b c");
    expect(guest("event 'lifecycle' for domain 'vm1': Started Migrated\r")).toBe("vm1");
  });

  test.each([
    "",
    "events received: 7",
    "event 'reboot' for domain 'vm1'",
    "event 'migration-iteration' for domain 'vm1': iteration: '2'",
    "error: Disconnected from qemu:///system",
    "event 'lifecycle' for domain 'vm1':",
  ])("%j is nothing", (text) => expect(hook.eventIn(text, "node2")).toBeUndefined());

  test("end without a line", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        hook.eventIn(text, "node2");
        hook.eventIn(line(text), "node2");
      }),
    );
  });
});

describe("places", () => {
  const home = { node: "node1", to: "node1" };
  const away = { node: "node1", to: "node2" };
  const at = (host: string, what: "comes" | "runs" | "gone") => ({ guest: "vm1", host, what });

  test("follow a complete migration", () => {
    expect(hook.placeAfter(home, at("node2", "comes"))).toEqual(away);
    expect(hook.placeAfter(away, at("node2", "runs"))).toEqual({ node: "node2", to: "node2" });
    expect(hook.placeAfter({ node: "node2", to: "node2" }, at("node1", "gone"))).toBeUndefined();
  });

  test("follow a cancelled migration, by an event of either host", () => {
    expect(hook.placeAfter(away, at("node2", "gone"))).toEqual(home);
    expect(hook.placeAfter(away, at("node1", "runs"))).toEqual(home);
  });

  test("need no missed event: the guest is where it runs, or where it was last reported", () => {
    expect(hook.placeAfter(home, at("node3", "runs"))).toEqual({ node: "node3", to: "node3" });
    expect(hook.placeAfter(away, at("node3", "comes"))).toEqual({ node: "node1", to: "node3" });
  });

  test("ignore events that change nothing", () => {
    expect(hook.placeAfter(away, at("node2", "comes"))).toBeUndefined();
    expect(hook.placeAfter(home, at("node1", "runs"))).toBeUndefined();
    expect(hook.placeAfter(home, at("node1", "gone"))).toBeUndefined();
    expect(hook.placeAfter(away, at("node3", "gone"))).toBeUndefined();
  });

  test("end with the guest where it was last reported running, in any order of events", () => {
    const events = fc.array(fc.tuple(fc.constantFrom("node1", "node2", "node3"), fc.constantFrom("comes" as const, "runs" as const, "gone" as const)));
    fc.assert(
      fc.property(events, (list) => {
        const last = list.reduce((place, [host, what]) => hook.placeAfter(place, at(host, what)) ?? place, home);
        expect(last.node).toBe(list.findLast(([, what]) => what === "runs")?.[0] ?? "node1");
      }),
    );
  });
});

describe("following", () => {
  const node = (name: string) => [name, { zone: name, chassis: `c-${name}` }] as const;
  const outputs = {
    guests: Object.fromEntries(["vm1", "vm2"].map((name) => [name, { node: "node1", to: "node1", port: `port-${name}` }])),
    nodes: Object.fromEntries(["node1", "node2", "node3"].map(node)),
  };

  /** A follower whose stack takes as long as the test wants, and fails so many times. */
  function followed(failures = 0, pauses = [1, 1]) {
    const away: string[] = [];
    const log: string[] = [];
    const places: Record<string, object>[] = [];
    const waiting: (() => void)[] = [];
    const follower: InstanceType<typeof hook.Follower> = new hook.Follower(outputs, {
      stack: {
        place: async (pending) => {
          places.push(Object.fromEntries(pending));
          await new Promise<void>((resolve) => waiting.push(resolve));
          if (failures-- > 0) throw new Error("pulumi up ended with status 255");
        },
      },
      rows: {
        point: async (port, { zone, chassis }) => {
          log.push(`${port} to ${zone} ${chassis}`);
          return [];
        },
        away: () => away,
      },
      say: (text) => log.push(text.replace(/\d+ ms/, "N ms")),
      // As the hook itself does it.
      giveUp: async () => {
        log.push("gave up");
        log.push(`without ${await follower.end()}`);
      },
      pauses,
    });
    const event = (guest: string, host: string, what: "comes" | "runs" | "gone") => follower.take({ guest, host, what });
    /** Waits for an update to start, and lets it end. */
    const next = async () => {
      while (waiting.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
      waiting.shift()!();
      await new Promise((resolve) => setTimeout(resolve, 1));
    };
    return { log, places, event, next, follower, away };
  }

  test("writes rows at a migration's start and end, and updates the stack after each", async () => {
    const { log, places, event, next, follower } = followed();
    event("vm1", "node2", "comes");
    await next();
    event("vm1", "node2", "runs");
    await next();
    await follower.end();
    expect(places).toEqual([{ vm1: { node: "node1", to: "node2" } }, { vm1: { node: "node2", to: "node2" } }]);
    expect(log).toEqual([
      "vm1 is about to come to node2",
      "in the stack: vm1 on node1, about to come to node2",
      "vm1 runs on node2",
      "port-vm1 to node2 c-node2",
      "vm1: rows point to node2 after N ms",
      "in the stack: vm1 on node2",
    ]);
  });

  test("writes rows of two migrations during an update, and one update for all changes that arrive in it", async () => {
    const { log, places, event, next, follower } = followed();
    event("vm1", "node2", "comes");
    event("vm2", "node3", "comes");
    await new Promise((resolve) => setTimeout(resolve, 1));
    event("vm1", "node2", "runs");
    event("vm2", "node3", "gone");
    expect(log).toContain("port-vm1 to node2 c-node2");
    await next();
    await next();
    await follower.end();
    expect(places).toEqual([
      { vm1: { node: "node1", to: "node2" }, vm2: { node: "node1", to: "node3" } },
      { vm1: { node: "node2", to: "node2" }, vm2: { node: "node1", to: "node1" } },
    ]);
    expect(log.at(-1)).toBe("in the stack: vm1 on node2; vm2 on node1");
    expect(log).toContain("vm2 stays on node1");
  });

  test("ignores unknown guests, hosts and events", async () => {
    const { log, event, follower } = followed();
    event("vm9", "node2", "comes");
    event("__proto__", "node2", "comes");
    event("vm1", "elsewhere", "comes");
    event("vm1", "constructor", "runs");
    event("vm1", "node1", "gone");
    await follower.end();
    expect(log).toEqual([]);
  });

  test("repeats a failed update, with the changes since", async () => {
    const { log, places, event, next, follower } = followed(1);
    event("vm1", "node2", "comes");
    await new Promise((resolve) => setTimeout(resolve, 1));
    event("vm1", "node2", "gone");
    await next();
    await next();
    await follower.end();
    expect(places).toEqual([{ vm1: { node: "node1", to: "node2" } }, { vm1: { node: "node1", to: "node1" } }]);
    expect(log.slice(2)).toEqual(["pulumi up ended with status 255", "trying again in 0.001 s", "in the stack: vm1 on node1"]);
  });

  test("ends after repeated failures, and reports the missing changes of the stack", async () => {
    const { log, event, next, follower } = followed(9);
    event("vm1", "node2", "comes");
    for (let attempt = 0; attempt < 3; attempt++) await next();
    expect(log.filter((text) => text.startsWith("pulumi up"))).toHaveLength(3);
    expect(log.slice(-2)).toEqual(["gave up", "without vm1 on node1, about to come to node2"]);
    expect(await follower.end()).toBe("vm1 on node1, about to come to node2");
  });

  test("does not end while a zone is unreachable, and an event does not wait for the next attempt", async () => {
    const { log, places, event, next, follower, away } = followed(7, [1, 60_000]);
    away.push("node3");
    event("vm1", "node2", "comes");
    for (let attempt = 0; attempt < 2; attempt++) await next();
    for (const host of ["node2", "node3", "node1"]) {
      event("vm1", host, "runs");
      await next();
    }
    expect(log.filter((text) => text.startsWith("trying again"))).toEqual(
      ["0.001", ...Array<string>(4).fill("60")].map((pause) => `trying again in ${pause} s, as long as zones are away: node3`),
    );
    expect(places).toHaveLength(5);
    expect(places.at(-1)).toEqual({ vm1: { node: "node1", to: "node1" } });
    away.pop();
    event("vm2", "node3", "comes");
    await next();
    expect(log.at(-1)).toBe("trying again in 60 s");
    event("vm2", "node2", "comes");
    await next();
    expect(log.slice(-2)).toEqual(["gave up", "without vm1 on node1; vm2 on node1, about to come to node2"]);
    expect(await follower.end()).toBe("vm1 on node1; vm2 on node1, about to come to node2");
  });

  test("on request ends after the update in progress, and reports the changes since", async () => {
    const { places, event, next, follower } = followed();
    event("vm1", "node2", "comes");
    await new Promise((resolve) => setTimeout(resolve, 1));
    event("vm2", "node3", "comes");
    const end = follower.end();
    event("vm2", "node3", "runs");
    await next();
    expect(await end).toBe("vm2 on node1, about to come to node3");
    expect(places).toEqual([{ vm1: { node: "node1", to: "node2" } }]);
  });

  test("on request ends between attempts without another one", async () => {
    const { log, event, next, follower } = followed(1, [60_000]);
    event("vm1", "node2", "runs");
    await next();
    expect(log.at(-1)).toBe("trying again in 60 s");
    expect(await follower.end()).toBe("vm1 on node2");
  });

  test("names an unreachable zone, and updates the stack nevertheless", async () => {
    const log: string[] = [];
    const placed: string[] = [];
    const follower = new hook.Follower(outputs, {
      stack: { place: async (pending) => void placed.push(...pending.keys()) },
      rows: { point: async () => ["zone node3: not connected"], away: () => ["node3"] },
      say: (text) => log.push(text),
      giveUp: () => undefined,
    });
    follower.take({ guest: "vm2", host: "node3", what: "runs" });
    await new Promise((resolve) => setTimeout(resolve, 1));
    expect(await follower.end()).toBeUndefined();
    expect(log).toContain("vm2: not yet, the update will do it: zone node3: not connected");
    expect(placed).toEqual(["vm2"]);
  });
});
