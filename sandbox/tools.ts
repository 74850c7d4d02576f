import { binaries } from "./binaries";
import { guestKernel } from "./guest-kernel";
import { frrK8sPrograms, kubernetesPrograms } from "./kubernetes-tools";
import { type Report, step } from "./progress";
import { pulumiFolder } from "./pulumi-cli";

/** What is fetched or built once, and how. */
export type Tool = readonly [title: string, fetch: (report: Report) => Promise<unknown>];

const everything: readonly Tool[] = [
  ["OVN, Open vSwitch and FRR", binaries],
  ["Pulumi CLI", pulumiFolder],
  ["kube-apiserver and etcd", (report) => kubernetesPrograms(report)],
  ["frr-k8s", frrK8sPrograms],
  ["user-mode Linux", guestKernel],
];

/**
 * Fetches or builds what the tests run, where that was not done before: a build takes longer than a test may.
 * What can't be had is told and no error: the tests that need it fail with the remedy, and the others run.
 */
export const prepareTools = async (write?: Report, tools = everything): Promise<void> => {
  for (const [title, fetch] of tools) {
    await step(title, (report) => fetch(report).catch((error: Error) => report(`not to be had: ${error.message}`)), write);
  }
};
