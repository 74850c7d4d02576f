import { guestKernel } from "../guest/guest-kernel";
import { type Report, step } from "../kit/progress";
import { actionlint } from "../tools/actionlint";
import { binaries } from "../tools/binaries";
import { browser } from "../tools/browser";
import { kubernetesPlugin } from "../tools/kubernetes-plugin";
import { frrK8sPrograms, kubernetesPrograms } from "../tools/kubernetes-tools";
import { openSsh } from "../tools/open-ssh";
import { pulumiFolder } from "../tools/pulumi-cli";
import { shells } from "../tools/shells";

/** A tool that is downloaded or built once. */
type Tool = readonly [title: string, fetch: (report: Report) => Promise<unknown>];

const everything: readonly Tool[] = [
  ["OVN, Open vSwitch and FRR", binaries],
  ["Pulumi CLI", pulumiFolder],
  ["kube-apiserver and etcd", (report) => kubernetesPrograms(report)],
  ["frr-k8s", frrK8sPrograms],
  ["the plugin of @pulumi/kubernetes", kubernetesPlugin],
  ["actionlint", actionlint],
  ["user-mode Linux", guestKernel],
  ["Chromium", browser],
  ["fish and zsh", shells],
  ["OpenSSH", openSsh],
];

/**
 * Downloads or builds the tools of the tests, because a build takes longer than a test may. Reports failures without throwing: tests that need
 * the tool fail with the remedy.
 */
export const prepareTools = async (write?: Report, tools = everything): Promise<void> => {
  for (const [title, fetch] of tools) {
    await step(title, (report) => fetch(report).catch((error: Error) => report(`not to be had: ${error.message}`)), write);
  }
};
