import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { connect } from "../client";
import { OvsdbError } from "../errors";
import { parseJson } from "../framing/json";
import { type DatabaseSchema, parseSchema } from "../schema/schema";
import { generateTypes, PACKAGE } from "./generate";

const USAGE = `usage: ovsdb-types [--from MODULE] SCHEMA
       ovsdb-types [--from MODULE] ENDPOINT DATABASE

Writes TypeScript types of a database's rows to standard output. SCHEMA is a file such as ovn-nb.ovsschema, or "-" for
standard input; ENDPOINT (unix:PATH, tcp:HOST:PORT, exec:COMMAND) is a server to ask for the schema of DATABASE.
MODULE is where the types are imported from, by default "${PACKAGE}".`;

class UsageError extends Error {}

/** Returns the text to write. */
async function run(args: string[]): Promise<string> {
  if (args.includes("--help") || args.includes("-h")) return `${USAGE}\n`;
  const at = args.indexOf("--from");
  const from = at < 0 ? undefined : args.splice(at, 2)[1];
  const [source, database, ...rest] = args;
  const unknown = args.find((argument) => /^--?\w/.test(argument)) ?? rest[0];
  if (unknown !== undefined) throw new UsageError(`unexpected argument ${unknown}`);
  if (source === undefined) throw new UsageError("the schema is missing");
  if (at >= 0 && from === undefined) throw new UsageError("--from needs a module");
  return generateTypes(await schemaOf(source, database), from);
}

async function schemaOf(source: string, database: string | undefined): Promise<DatabaseSchema> {
  if (/^(?:unix|tcp|ssl|exec):/.test(source)) {
    if (database === undefined) throw new UsageError(`the database of ${source} is missing`);
    await using client = await connect(source, { database, leaderOnly: false, reconnect: false });
    return await client.getSchema();
  }
  if (database !== undefined) throw new UsageError(`unexpected argument ${database}`);
  return parseSchema(parseJson(source === "-" ? await text(process.stdin) : await readFile(source, "utf8")));
}

/** `ovsdb-types`: the types go to standard output; resolves to the exit status (2: wrong arguments). */
export async function main(args: readonly string[]): Promise<number> {
  try {
    process.stdout.write(await run([...args]));
    return 0;
  } catch (error) {
    const { message } = error as Error;
    process.stderr.write(error instanceof UsageError ? `${message}\n\n${USAGE}\n` : `${error instanceof OvsdbError ? `${error.code}: ` : ""}${message}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}
