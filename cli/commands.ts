import { agentCommand } from "./agent/command";
import { applyCommand } from "./apply/command";
import { cancelCommand, confirmCommand, guardCommand, pendingCommand } from "./apply/pending-commands";
import type { Commands } from "./command";
import { completionCommand } from "./completion/command";
import { diffCommand } from "./diff/command";
import { driftCommand } from "./drift/command";
import { doctorCommand } from "./doctor/command";
import { egressCommand } from "./egress/command";
import { importCommand } from "./import/command";
import { pictureCommand } from "./picture/command";
import { simulateCommand } from "./simulate/command";
import { statusCommand } from "./status/command";
import { targetsCommand } from "./targets/command";
import { traceCommand } from "./trace/command";
import { upgradeCommand } from "./upgrade/command";

/** Subcommands by name. Usage, parsing and completion are made from this table. */
export const commands: Commands = {
  agent: agentCommand,
  apply: applyCommand,
  cancel: cancelCommand,
  completion: completionCommand(() => commands),
  confirm: confirmCommand,
  diff: diffCommand,
  doctor: doctorCommand,
  drift: driftCommand,
  egress: egressCommand,
  guard: guardCommand,
  import: importCommand,
  pending: pendingCommand,
  picture: pictureCommand,
  simulate: simulateCommand,
  status: statusCommand,
  targets: targetsCommand,
  trace: traceCommand,
  upgrade: upgradeCommand,
};
