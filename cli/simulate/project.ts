import { projectFolder } from "@pulumi-ovn/provider/targets";
import { CommandError } from "../command";
import { projectIn } from "../stack-file";

/**
 * Refuses a preview or a state whose targets are not those of the folder's project: another project can have a stack of the same name.
 * @param name how the error calls the preview or the state
 */
export function requireProject(
  project: string | undefined,
  { code, name, cwd = "." }: { readonly code: string; readonly name: string; readonly cwd: string | undefined },
): void {
  const folder = projectFolder(cwd);
  const here = projectIn(folder);
  if (!project || here === undefined || project === here) return;
  throw new CommandError(code, `${name} is of project "${project}", and the project in ${folder} is "${here}"; pass --cwd with the folder of "${project}"`);
}
