import { OperationError, type Operation, type OvsdbClient } from "@pulumi-ovn/ovsdb-client";
import { followed, interfaceProblem } from "@pulumi-ovn/provider/testing";
import { numberProblem } from "@pulumi-ovn/provider/tools";

/** A switch's database whose answers come one after the other; the last one for good. */
function database(...answers: (Error | { next_cfg?: number; cur_cfg: number })[]) {
  const waits: unknown[] = [];
  const transact = (operations: readonly Operation[]) => {
    waits.push(...operations.flatMap((operation) => (operation.op === "wait" ? [operation.timeout] : [])));
    const answer = answers.length > 1 ? answers.shift()! : answers[0]!;
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve([{ count: 1 }, { rows: [answer] }]);
  };
  return { client: { transact } as unknown as OvsdbClient, waits };
}
const failed = (error: string) => new OperationError({ error, details: "", operationIndex: 0, operation: undefined, results: [] });

afterEach(() => jest.restoreAllMocks());

describe("waiting for the switch", () => {
  it("ends when the switch has followed, also immediately", async () => {
    const { client, waits } = database({ next_cfg: 4, cur_cfg: 2 }, { cur_cfg: 3 }, failed("timed out"), { cur_cfg: 4 });
    await followed(client);
    expect(waits).toHaveLength(3);
    expect(waits.every((wait) => Number.isInteger(wait) && (wait as number) <= 30_000)).toBe(true);
    const there = database({ next_cfg: 4, cur_cfg: 4 });
    await followed(there.client);
    expect(there.waits).toEqual([]);
  });

  it("ends at its timeout if the switch does not follow", async () => {
    const { client } = database({ next_cfg: 4, cur_cfg: 3 }, failed("timed out"));
    await expect(followed(client, 0)).rejects.toMatchObject({ code: "OVN_SWITCH" });
    await expect(followed(database({ next_cfg: 4, cur_cfg: 3 }, failed("not supported")).client)).rejects.toMatchObject({ error: "not supported" });
  });

  it("does not depend on changes of the system clock", async () => {
    const clock = jest.spyOn(Date, "now").mockReturnValue(0);
    clock.mockReturnValueOnce(0).mockReturnValue(36e5);
    const { client, waits } = database({ next_cfg: 4, cur_cfg: 2 }, { cur_cfg: 3 }, { cur_cfg: 4 });
    await followed(client);
    expect(waits).toHaveLength(2);
  });
});

it.each([
  [undefined, "missing"],
  [{ error: "no such device", ofport: 3 }, "no such device"],
  [{ error: ["set", []], ofport: ["set", []] }, "no port of its bridge"],
  [{ error: ["set", []], ofport: -1 }, "no port of its bridge"],
  [{ error: ["set", []], ofport: 0 }, "no port of its bridge"],
  [{ error: ["set", []], ofport: 1 }, undefined],
])("an interface %p: %p", (row, problem) => {
  expect(interfaceProblem(row)).toBe(problem);
});

it.each([
  [undefined, undefined],
  [{ ofport: ["set", []] }, undefined],
  [{ ofport: -1 }, undefined],
  [{ ofport: 0 }, undefined],
  [{ ofport: 7 }, undefined],
  [{ ofport: 8 }, "it has port number 8, not 7, which another port of its bridge has"],
])("of an interface %p that asked for port 7: %p", (row, problem) => {
  expect(numberProblem(row, 7)).toBe(problem);
});
