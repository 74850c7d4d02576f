import { endedEarly, newMark, shellOnHost } from "@pulumi-ovn/provider/tools";
import type { Connections } from "@pulumi-ovn/provider/targets";
import type { Look } from "../section";
import { type AgentHealth, healthIn, type Origin, originsIn, routesIn } from "./answers";
import { answersIn, FAMILIES, healthQuestion, originQuestion, routesQuestion, scriptOf } from "./questions";

/** Live state of a chassis. A part that could not be read is an error. */
export interface LiveChassis {
  /** Destinations by table. */
  readonly kernel: ReadonlyMap<number, readonly string[]> | Error;
  /** Routes that FRR originates, by prefix, from any table or from its own configuration. */
  readonly frr: ReadonlyMap<string, Pick<Origin, "byAgent">> | Error;
  /** Undefined if the chassis should have none. */
  readonly agent: AgentHealth | Error | undefined;
}

/** Data to read from a chassis. */
export interface ExposedTables {
  readonly tables: readonly number[];
  readonly agent: boolean;
}

/** Reads a chassis over one run of the command of the host that has its name. An error: it was not reached. */
export async function liveChassis(chassis: string, { tables, agent }: ExposedTables, targets: Connections, look: Look): Promise<LiveChassis | Error> {
  const routes = tables.flatMap((table) => FAMILIES.map((family) => ({ table, family })));
  const questions = [
    ...routes.map(({ table, family }) => routesQuestion(table, family)),
    ...FAMILIES.map(originQuestion),
    ...(agent ? [healthQuestion(look.agent)] : []),
  ];
  const mark = newMark();
  try {
    const host = targets.host(chassis);
    const ended = await shellOnHost({ host }, scriptOf(questions, mark));
    const answers = answersIn(mark, ended.stdout, ended.stderr);
    if (answers?.length !== questions.length) return endedEarly(host, { ...ended, stderr: ended.stderr.replaceAll(mark, "") }, answers !== undefined);
    const kernel = new Map<number, string[]>();
    const failures: Error[] = [];
    routes.forEach(({ table, family }, index) => {
      const found = routesIn(answers[index]!, family);
      if (found instanceof Error) failures.push(found);
      else kernel.set(table, [...(kernel.get(table) ?? []), ...found]);
    });
    const origins = FAMILIES.map((_, index) => originsIn(answers[routes.length + index]!));
    return {
      kernel: failures[0] ?? kernel,
      frr:
        origins.find((found) => found instanceof Error) ??
        new Map(origins.flatMap((found) => (found instanceof Error ? [] : found)).map((origin) => [origin.prefix, origin])),
      agent: agent ? healthIn(answers.at(-1)!, `${look.agent.host}:${look.agent.port}`) : undefined,
    };
  } catch (error) {
    return error as Error;
  }
}
