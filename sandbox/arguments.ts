import { SandboxError } from "./errors";

/** What the command line asks for. */
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
  | { readonly command: "exec"; readonly name: string; readonly place: string; readonly argv: readonly string[] }
  | { readonly command: "help" };

export const usage = `usage: npm run -s sandbox -- COMMAND [--name NAME]
  up [--hosts N] [--hosts-per-zone M] [--frr] [--fabric] [--kubernetes] [--no-ovn]
                              start N hosts (3) with OVN and Open vSwitch, M of them (1) in each zone; --frr: with FRR
                              and BGP sessions; --fabric: these, through two leaves, and no other way in; --kubernetes:
                              with FRR, an API server, and frr-k8s on every host; --no-ovn: with Open vSwitch alone
  down                        end everything; no process, namespace, mount or file stays
  status [--json | --zones | --targets]
                              every place with its addresses, processes and memory; --zones: the databases of each zone,
                              as PULUMI_OVN_ZONES takes them; --targets: these and the hosts, as a file of targets
  exec PLACE COMMAND...       run a command in a host (node1), a workload (vm1), the upstream router (ext) or a leaf
`;

/** Reads the command line. Options stand before the place of `exec`; all that follows belongs to the command. */
export const parseArguments = (argv: readonly string[]): Request => {
  const [command, ...rest] = argv;
  const options: Record<string, string | true> = {};
  let at = 0;
  for (; rest[at]?.startsWith("--"); at++) {
    const [, option = "", value] = /^--([a-z-]+)(?:=(.*))?$/.exec(rest[at]!) ?? [];
    if (option === "name" || option === "hosts" || option === "hosts-per-zone") {
      options[option] = value ?? rest[++at] ?? wrong(`--${option} needs a value`);
    } else if ((["frr", "fabric", "kubernetes", "no-ovn", "json", "zones", "targets"].includes(option) || option === "help") && value === undefined)
      options[option] = true;
    else wrong(`unknown option ${rest[at]}`);
  }
  const words = rest.slice(at);
  const allow = (...names: string[]): void => {
    for (const name of Object.keys(options)) if (name !== "name" && !names.includes(name)) wrong(`${command} has no option --${name}`);
    if (command !== "exec" && words.length > 0) wrong(`${command} takes no ${JSON.stringify(words[0])}`);
  };
  const name = (options["name"] as string | undefined) ?? "default";
  if (options["help"] || command === undefined || command === "help" || command === "--help" || command === "-h") return { command: "help" };
  switch (command) {
    case "up": {
      allow("hosts", "hosts-per-zone", "frr", "fabric", "kubernetes", "no-ovn");
      const number = (option: string): number | undefined => {
        const given = options[option] as string | undefined;
        if (given !== undefined && !/^\d+$/.test(given)) wrong(`--${option} needs a number, not ${JSON.stringify(given)}`);
        return given === undefined ? undefined : Number(given);
      };
      return {
        command,
        name,
        hosts: number("hosts"),
        hostsPerZone: number("hosts-per-zone"),
        ovn: options["no-ovn"] === undefined,
        frr: options["frr"] === true,
        fabric: options["fabric"] === true,
        kubernetes: options["kubernetes"] === true,
      };
    }
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
      const [place, ...command_] = words;
      if (place === undefined || command_.length === 0) return wrong("exec needs a place and a command");
      return { command, name, place, argv: command_ };
    }
    default:
      return wrong(`unknown command ${JSON.stringify(command)}`);
  }
};

const wrong = (message: string): never => {
  throw new SandboxError("usage", message, usage.trimEnd());
};
