import { holdsCredentials, KUBECONFIG_KEY } from "@pulumi-ovn/provider";
import * as pulumi from "@pulumi/pulumi";
import { ProgramError } from "./program-error";

/** A kubeconfig with credentials is in clear text in the stack's configuration. */
export class ClearCredentialsError extends ProgramError {
  readonly code = "OVN_CLEAR_CREDENTIALS";

  /** @internal */
  constructor(what: string) {
    super(
      `OVN_CLEAR_CREDENTIALS: ${what}: ${KUBECONFIG_KEY} in the stack's configuration is a kubeconfig with credentials in clear text, and Pulumi keeps configuration in the state of dynamic providers; ` +
        `write it to a file, and name that (pulumi config set ${KUBECONFIG_KEY} FILE), or set it with --secret where only @pulumi/kubernetes needs it`,
    );
  }
}

/** Pulumi's own, but not among its types. */
const { isConfigSecret } = pulumi.runtime as typeof pulumi.runtime & { readonly isConfigSecret?: (key: string) => boolean };

/** Ends the program before anything is registered: with the first resource the configuration would be in the state. */
export function refuseClearCredentials(what: string): void {
  const kubeconfig = pulumi.runtime.getConfig(KUBECONFIG_KEY);
  if (kubeconfig !== undefined && holdsCredentials(kubeconfig) && isConfigSecret?.(KUBECONFIG_KEY) === false) throw new ClearCredentialsError(what);
}
