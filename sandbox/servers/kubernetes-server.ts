import { generateKeyPairSync, randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { type Command, until } from "../kit/process";
import type { KubernetesPrograms } from "../tools/kubernetes-tools";
import { KubernetesClient } from "./kubernetes-client";

/** A user of the API server. */
export interface KubernetesUser {
  readonly name: string;
  readonly groups: readonly string[];
}

/** May do everything. */
const ADMIN: KubernetesUser = { name: "admin", groups: ["system:masters"] };

/** Files and loopback ports of an API server and its etcd. */
export interface ServerSite {
  readonly folder: string;
  readonly ports: { readonly client: number; readonly peer: number; readonly secure: number };
}

export const serverUrl = ({ ports }: ServerSite): string => `https://127.0.0.1:${ports.secure}`;

/** The path of the kubeconfig: a context for each user by its name; `admin` is the current one. */
export const kubeconfigOf = (folder: string): string => join(folder, "kubeconfig");

/** The commands of etcd and the API server, in the order in which they start. */
export const serverCommands = (
  { folder, ports }: ServerSite,
  programs: KubernetesPrograms,
): readonly (readonly [name: "etcd" | "kube-apiserver", command: Command])[] => {
  const etcd = `http://127.0.0.1:${ports.client}`;
  const peer = `http://127.0.0.1:${ports.peer}`;
  const at = (file: string): string => join(folder, file);
  return [
    [
      "etcd",
      {
        file: programs.etcd,
        args: [
          `--data-dir=${at("etcd")}`,
          `--listen-client-urls=${etcd}`,
          `--advertise-client-urls=${etcd}`,
          `--listen-peer-urls=${peer}`,
          `--initial-advertise-peer-urls=${peer}`,
          `--initial-cluster=default=${peer}`,
          "--log-level=error",
          "--unsafe-no-fsync",
        ],
      },
    ],
    [
      "kube-apiserver",
      {
        file: programs.apiServer,
        args: [
          `--etcd-servers=${etcd}`,
          `--cert-dir=${folder}`,
          "--bind-address=127.0.0.1",
          `--secure-port=${ports.secure}`,
          "--advertise-address=127.0.0.1",
          "--service-cluster-ip-range=10.96.0.0/24",
          "--service-account-issuer=https://kubernetes.default.svc",
          `--service-account-key-file=${at("sa.pub")}`,
          `--service-account-signing-key-file=${at("sa.key")}`,
          `--token-auth-file=${at("tokens.csv")}`,
          "--authorization-mode=RBAC",
          "--disable-admission-plugins=ServiceAccount",
          "--endpoint-reconciler-type=none",
          "--allow-privileged=true",
        ],
      },
    ],
  ];
};

/** Writes keys, tokens and the kubeconfig. */
export const writeServerFiles = async (site: ServerSite, others: readonly KubernetesUser[] = []): Promise<void> => {
  const users = [ADMIN, ...others].map((user) => ({ ...user, token: randomBytes(16).toString("hex") }));
  const { privateKey, publicKey } = generateKeyPairSync("ec", {
    namedCurve: "P-256",
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "sec1", format: "pem" },
  });
  const lines = users.map(({ name, groups, token }) => `${token},${name},${name},"${groups.join(",")}"`);
  // JSON is YAML. The server makes the certificate, which is its own authority, when it first starts.
  const config = {
    apiVersion: "v1",
    kind: "Config",
    "current-context": ADMIN.name,
    clusters: [{ name: "local", cluster: { server: serverUrl(site), "certificate-authority": join(site.folder, "apiserver.crt") } }],
    contexts: users.map(({ name }) => ({ name, context: { cluster: "local", user: name } })),
    users: users.map(({ name, token }) => ({ name, user: { token } })),
  };
  const files = { "sa.key": privateKey, "sa.pub": publicKey, "tokens.csv": lines.join("\n"), kubeconfig: JSON.stringify(config) };
  await Promise.all(Object.entries(files).map(([file, text]) => writeFile(join(site.folder, file), text, { mode: 0o600 })));
};

/**
 * Waits until the server answers its users; not at every moment, for it takes seconds to start, and needs the processor itself.
 * @param running fails where one of the programs has ended
 */
export const serverReady = ({ folder }: ServerSite, running: () => void | Promise<void>): Promise<true> => {
  const client = new KubernetesClient(kubeconfigOf(folder));
  const ready = async (): Promise<boolean> => (await client.ask("GET", "/readyz", undefined, { timeout: 2_000 })).status === 200;
  return until(
    `kube-apiserver in ${folder}`,
    60_000,
    async () => {
      await running();
      return ready().catch(() => false); // no certificate or no listener yet
    },
    50,
  );
};

/** Ports that are free now. */
export const freePorts = async (): Promise<ServerSite["ports"]> => {
  const servers = await Promise.all(
    Array.from(
      { length: 3 },
      () =>
        new Promise<ReturnType<typeof createServer>>((resolve) => {
          const server = createServer().listen(0, "127.0.0.1", () => resolve(server));
        }),
    ),
  );
  const [client, peer, secure] = servers.map((server) => (server.address() as AddressInfo).port) as [number, number, number];
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return { client, peer, secure };
};
