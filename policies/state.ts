import { execFileSync } from "node:child_process";
import type { PolicyResource } from "@pulumi/policy";
import { kindOf, type OvnResource } from "./resource";

interface Deployment {
  readonly deployment: {
    readonly resources?: readonly { readonly urn: string; readonly type: string; readonly delete?: boolean; readonly inputs?: OvnResource["props"] }[];
  };
}

/** A state can have some hundred megabytes. */
const LONGEST = 1 << 30;

/**
 * This provider's resources in the state before the update, by URN: Pulumi gives policies the new resources only.
 * Read once per run by `pulumi stack export`, without secrets.
 *
 * @throws Error if the CLI cannot export the stack
 */
export function stateBefore(): ReadonlyMap<string, OvnResource> {
  cached ??= new Map(
    exported()
      .deployment.resources?.filter(({ type, delete: isLeftover }) => kindOf(type) !== undefined && isLeftover !== true)
      .map(({ urn, type, inputs = {} }) => [urn, { urn, type, name: urn.slice(urn.lastIndexOf("::") + 2), props: inputs }]),
  );
  return cached;
}

/** Arguments of a program's resource. Pulumi gives a stack policy the outputs of unchanged resources, which lack some of them. */
export const argumentsOf = ({ urn, props }: PolicyResource): OvnResource["props"] => ({ ...stateBefore().get(urn)?.props, ...props });

let cached: ReadonlyMap<string, OvnResource> | undefined;

function exported(): Deployment {
  const { PULUMI_ORGANIZATION: organization, PULUMI_PROJECT: project, PULUMI_STACK: stack } = process.env;
  const name = [organization, project, stack].filter(Boolean).join("/");
  return JSON.parse(
    execFileSync("pulumi", ["stack", "export", "--stack", name, "--non-interactive"], {
      encoding: "utf8",
      maxBuffer: LONGEST,
      stdio: ["ignore", "pipe", "pipe"],
    }),
  );
}
