import { OperationError, type Operation, OutcomeUnknownError } from "@pulumi-ovn/ovsdb-client";
import { type Connections, propagate } from "@pulumi-ovn/provider/targets";

/** A Northbound database whose answers come one after the other; the last one for good. */
function zone(...answers: (Error | { nb_cfg?: number; sb_cfg: number })[]) {
  const asked: Operation["op"][] = [];
  const timeouts: unknown[] = [];
  const transact = (operations: readonly Operation[]) => {
    asked.push(operations[0]!.op);
    timeouts.push(...operations.flatMap((operation) => (operation.op === "wait" ? [operation.timeout] : [])));
    const answer = answers.length > 1 ? answers.shift()! : answers[0]!;
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve([{ count: 1 }, { rows: [answer] }]);
  };
  const connections = { get: () => Promise.resolve({ transact }), zone: () => ({}) } as unknown as Connections;
  return { run: (timeout = 60_000) => propagate(connections, "node1", "southbound", timeout), asked, timeouts };
}
const lost = () => new OutcomeUnknownError("transact was sent, and no reply came");
const late = () => new OperationError({ error: "timed out", details: "", operationIndex: 0, operation: undefined, results: [] });

afterEach(() => jest.restoreAllMocks());

it("raises the number again when the reply is lost, as it is when the leader moves", async () => {
  const { run, asked } = zone(lost(), lost(), { nb_cfg: 3, sb_cfg: 2 }, { sb_cfg: 3 });
  await run();
  expect(asked).toEqual(["mutate", "mutate", "mutate", "wait"]);
});

it("raises the number again only within the timeout, and only after a lost reply", async () => {
  const { run, asked } = zone(lost());
  await expect(run(0)).rejects.toMatchObject({ code: "OVSDB_OUTCOME_UNKNOWN" });
  expect(asked).toEqual(["mutate"]);
  const other = zone(new TypeError("other"));
  await expect(other.run()).rejects.toThrow("other");
  expect(other.asked).toEqual(["mutate"]);
});

it("does not depend on changes of the system clock", async () => {
  const clock = jest.spyOn(Date, "now").mockReturnValue(0);
  const { run, asked } = zone({ nb_cfg: 3, sb_cfg: 1 }, { sb_cfg: 2 }, { sb_cfg: 3 });
  clock.mockReturnValueOnce(0).mockReturnValue(36e5);
  await run();
  expect(asked).toEqual(["mutate", "wait", "wait"]);
});

it("waits whole milliseconds until the timeout", async () => {
  const { run, timeouts } = zone({ nb_cfg: 3, sb_cfg: 2 }, late(), { sb_cfg: 3 });
  await run(1234.5);
  expect(timeouts.every(Number.isInteger)).toBe(true);
  await expect(zone({ nb_cfg: 3, sb_cfg: 2 }, late()).run(0)).rejects.toMatchObject({ code: "OVN_NOT_PROPAGATED" });
});

it("reports a database that northd has not initialized", async () => {
  await expect(zone({ sb_cfg: 0 }).run()).rejects.toThrow("has no NB_Global row");
});
