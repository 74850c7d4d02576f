import { didYouMean } from "@pulumi-ovn/provider/nearest";
import { SandboxError } from "../kit/errors";

/** A parsed command line. */
export type Request =
  | {
      readonly command: "up";
      readonly name: string;
      readonly hosts: number | undefined;
      readonly hostsPerZone: number | undefined;
      readonly ovn: boolean;
      readonly frr: boolean;
      readonly fabric: boolean;
      readonly kubernetes: boolean;
    }
  | { readonly command: "down"; readonly name: string }
  | { readonly command: "status"; readonly name: string; readonly as: "text" | "json" | "zones" | "targets" }
  | { readonly command: "exec"; readonly name: string; readonly namespace: string; readonly argv: readonly string[] }
  | { readonly command: "help" };

export const usage = `usage: npm run -s sandbox -- COMMAND [--name NAME]
  up [--hosts N] [--hosts-per-zone M] [--frr] [--fabric] [--kubernetes] [--no-ovn]
                              start N hosts (3) with OVN and Open vSwitch, M of them (1) in each zone; --frr: with FRR
                              and BGP sessions; --fabric: these, through two leaves, and no other way in; --kubernetes:
                              with FRR, an API server, and frr-k8s on every host; --no-ovn: only Open vSwitch
  down                        end everything; no process, namespace, mount or file stays
  status [--json | --zones | --targets]
                              every namespace with its addresses, processes and memory; --zones: the databases of each zone,
                              as PULUMI_OVN_ZONES takes them; --targets: these and the hosts, as a file of targets
  exec NAMESPACE COMMAND...   run a command in a host (node1), a workload (vm1), the upstream router (ext) or a leaf
`;

const VALUED = ["name", "hosts", "hosts-per-zone"];
const FLAGS = ["frr", "fabric", "kubernetes", "no-ovn", "json", "zones", "targets", "help"];
const COMMANDS = ["up", "down", "status", "exec", "help"];

/** Words of a command line, read once. */
interface CommandLine {
  readonly command: string | undefined;
  readonly options: Readonly<Record<string, string | true>>;
  /** Everything after the command and its options. */
  readonly words: readonly string[];
}

const read = (argv: readonly string[]): CommandLine => {
  const options: Record<string, string | true> = {};
  let command: string | undefined;
  let at = 0;
  for (; at < argv.length; at++) {
    const word = argv[at]!;
    if (!word.startsWith("--")) {
      if (command !== undefined) break;
      command = word;
      continue;
    }
    const [, option = "", value] = /^--([a-z-]+)(?:=(.*))?$/.exec(word) ?? [];
    if (VALUED.includes(option)) options[option] = value ?? argv[++at] ?? wrong(`--${option} needs a value`);
    else if (FLAGS.includes(option) && value === undefined) options[option] = true;
    else
      wrong(
        `unknown option ${word}`,
        didYouMean(
          word.split("=", 1)[0]!,
          [...VALUED, ...FLAGS].map((known) => `--${known}`),
        ),
      );
  }
  return { command, options, words: argv.slice(at) };
};

/**
 * Reads the command line. Options stand before or after the command, and before the namespace of `exec`; all that follows belongs to its command.
 *
 * @param environment of a script that npm runs
 */
export const parseArguments = (argv: readonly string[], environment: NodeJS.ProcessEnv = {}): Request => {
  refuseTaken(environment);
  const { command, options, words } = read(argv);
  const allow = (...names: string[]): void => {
    for (const name of Object.keys(options)) if (name !== "name" && !names.includes(name)) wrong(`${command} has no option --${name}`);
    if (command !== "exec" && words.length > 0) wrong(`${command} takes no ${JSON.stringify(words[0])}`);
  };
  const name = (options["name"] as string | undefined) ?? "default";
  if (options["help"] || argv.length === 0 || command === "help" || command === "-h") return { command: "help" };
  switch (command) {
    case "up":
      allow("hosts", "hosts-per-zone", "frr", "fabric", "kubernetes", "no-ovn");
      return {
        command,
        name,
        hosts: numberIn(options, "hosts"),
        hostsPerZone: numberIn(options, "hosts-per-zone"),
        ovn: options["no-ovn"] === undefined,
        frr: options["frr"] === true,
        fabric: options["fabric"] === true,
        kubernetes: options["kubernetes"] === true,
      };
    case "down":
      allow();
      return { command, name };
    case "status": {
      allow("json", "zones", "targets");
      const forms = (["json", "zones", "targets"] as const).filter((form) => options[form]);
      if (forms.length > 1) wrong(`status is ${forms.map((form) => `--${form}`).join(" or ")}, not both`);
      return { command, name, as: forms[0] ?? "text" };
    }
    case "exec": {
      allow();
      const [namespace, ...command_] = words;
      if (namespace === undefined || command_.length === 0) return wrong("exec needs a namespace and a command");
      return { command, name, namespace, argv: command_ };
    }
    case undefined:
      throw new SandboxError("usage", "there is no command", usage.trimEnd());
    default:
      return wrong(`unknown command ${JSON.stringify(command)}`, didYouMean(command, COMMANDS));
  }
};

const numberIn = (options: CommandLine["options"], option: string): number | undefined => {
  const given = options[option] as string | undefined;
  if (given !== undefined && !/^\d+$/.test(given)) wrong(`--${option} needs a number, not ${JSON.stringify(given)}`);
  return given === undefined ? undefined : Number(given);
};

/** Without a `--` before them npm keeps options for itself: another sandbox would be meant. `json` is npm's own, too. */
const refuseTaken = (environment: NodeJS.ProcessEnv): void => {
  if (environment["npm_lifecycle_event"] !== "sandbox") return;
  const taken = [...VALUED, ...FLAGS].find(
    (option) => option !== "json" && environment[`npm_config_${option.replace(/^no-/, "").replaceAll("-", "_")}`] !== undefined,
  );
  if (taken !== undefined)
    throw new SandboxError(
      "usage",
      `npm has taken --${taken} for itself`,
      "put -- before the command and its options: npm run -s sandbox -- COMMAND --name NAME",
    );
};

/** If a nearest name is known, it suffices. */
const wrong = (message: string, near = ""): never => {
  throw new SandboxError("usage", message + near, near === "" ? "npm run -s sandbox -- help" : undefined);
};
