import { didYouMean } from "@pulumi-ovn/provider/tools";
import { type Command, CommandError, type Commands, parsed } from "../command";
import { bashScript } from "./bash";
import { fishScript } from "./fish";
import { print } from "../output";
import { zshScript } from "./zsh";

const SCRIPTS: Readonly<Record<string, (commands: Commands) => string>> = { bash: bashScript, zsh: zshScript, fish: fishScript };
const SHELLS = Object.keys(SCRIPTS);

/** @param commands all commands, this one included */
export function completionCommand(commands: () => Commands): Command {
  return {
    summary: "print a script for completion in a shell",
    forms: SHELLS,
    about: `Prints a script for the shell, made from the same table as this text:
  source <(pulumi-ovn completion bash)             # in ~/.bashrc
  source <(pulumi-ovn completion zsh)              # in ~/.zshrc, after compinit
  pulumi-ovn completion fish | source              # in ~/.config/fish/config.fish`,
    options: {},
    words: SHELLS,
    notes: `There is no --stack, --cwd or --json: the script is the same for every project.

Exit code: 0 done; 2 usage error.`,
    run: (args) => {
      const [shell, ...more] = parsed(args, {}, true).positionals;
      if (shell === undefined || more.length > 0) throw new CommandError("OVN_USAGE", `expected one shell: ${SHELLS.join(", ")}`);
      if (!Object.hasOwn(SCRIPTS, shell))
        throw new CommandError("OVN_USAGE", `there is no script for "${shell}"${didYouMean(shell, SHELLS)}; expected ${SHELLS.join(", ")}`);
      print(SCRIPTS[shell]!(commands()));
      return Promise.resolve(0);
    },
  };
}
