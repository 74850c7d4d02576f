import { ENVIRONMENT, quote } from "@pulumi-ovn/provider/tools";

/** Answer of one command. */
export interface Answer {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

export const FAMILIES = [4, 6] as const;

/** Routes of a table of the kernel. */
export const routesQuestion = (table: number, family: 4 | 6): string[] => ["ip", "-json", "-N", `-${family}`, "route", "show", "table", String(table)];

/** Words of one command, and of another one for where that fails. */
export type Question = readonly string[] | { readonly first: readonly string[]; readonly otherwise: readonly string[] };

/** Routes that FRR itself is the origin of, with their tags. Versions without this filter return all routes. */
export const originQuestion = (family: 4 | 6): Question => ({
  first: ["vtysh", "-c", `show bgp ipv${family} unicast self-originate json detail`],
  otherwise: ["vtysh", "-c", `show bgp ipv${family} unicast json`],
});

/** Seconds in which an agent answers. */
const PATIENCE = 5;

/**
 * An agent's health, by HTTP/1.0. A chassis need not have a program for that, nor node on its PATH; but it has bash, which FRR's own
 * start script needs.
 */
export const healthQuestion = ({ host, port }: { readonly host: string; readonly port: number }): string[] => [
  "timeout",
  String(PATIENCE),
  "bash",
  "-c",
  'exec 3<>"/dev/tcp/$1/$2" && printf "GET /healthz HTTP/1.0\\r\\n\\r\\n" >&3 && cat <&3',
  "bash",
  host,
  String(port),
];

/**
 * Pure. Script for `sh` that runs all questions, even if one fails. Changes nothing on the host.
 *
 * @param mark a word that no answer contains
 */
export function scriptOf(questions: readonly Question[], mark: string): string {
  return [
    ENVIRONMENT,
    `end() { printf '\\n%s %s\\n' ${mark} "$1"; printf '\\n%s\\n' ${mark} >&2; }`,
    "end begin",
    ...questions.map(
      (question) =>
        `${commandsOf(question)
          .map((words) => `${words.map(quote).join(" ")} </dev/null`)
          .join(" || ")}; end $?`,
    ),
    "",
  ].join("\n");
}

const commandsOf = (question: Question): readonly (readonly string[])[] => ("first" in question ? [question.first, question.otherwise] : [question]);

/** Pure. Answers in the output, without earlier text such as a banner. Undefined: none. Fewer answers than questions: the shell ended early. */
export function answersIn(mark: string, stdout: string, stderr: string): Answer[] | undefined {
  const [banner, ...parts] = stdout.split(`\n${mark} `);
  if (banner === undefined || parts.length === 0) return undefined;
  const outputs = stderr.split(`\n${mark}\n`).slice(1);
  // Each part is what the one before it has ended with, and what the next command has printed.
  const printed = parts.map((part) => part.slice(part.indexOf("\n") + 1));
  return parts.slice(1).map((part, index) => ({ status: parseInt(part, 10), stdout: printed[index]!, stderr: outputs[index] ?? "" }));
}
