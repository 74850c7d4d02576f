import { resolve } from "node:path";
import { TARGETS_KEY, type Zones } from "@pulumi-ovn/provider/targets";
import { stringify } from "yaml";

/** Parts of a project, except its program. */
export interface ProjectArgs {
  readonly project: string;
  readonly stack: string;
  /** The imported zones. */
  readonly zones: Zones;
  /** Base folder for relative paths of the zones: sockets and PEM files. */
  readonly folder: string;
  readonly dependencies: { readonly "pulumi-ovn": string; readonly "@pulumi/pulumi": string };
  /** The project's own file and the stack's configuration, relative to the project's folder. Default: those of a new project. */
  readonly files?: { readonly project: string; readonly configuration: string };
}

/** A file that is written unless it is there: a project's own settings stay as they are. */
export interface Setting {
  readonly name: string;
  readonly text: string;
  /** Whether the file contains the zones. Only its owner may read such a file: commands that lead to databases may contain secrets. */
  readonly targets?: boolean;
  /** The stack's configuration, which names the zones. */
  readonly configuration?: boolean;
}

const TSCONFIG = {
  compilerOptions: { target: "es2022", module: "node16", moduleResolution: "node16", strict: true, skipLibCheck: true, types: ["node"], noEmit: true },
  files: ["index.ts"],
};

/** The files with which the program runs after `npm install`, as those of templates/ovn-typescript. Pure. */
export function projectSettings({
  project,
  stack,
  zones,
  folder,
  dependencies,
  files = { project: "Pulumi.yaml", configuration: `Pulumi.${stack}.yaml` },
}: ProjectArgs): Setting[] {
  const targets = `targets.${stack}.yaml`;
  const packageFile = {
    name: packageName(project),
    private: true,
    main: "index.ts",
    dependencies,
    devDependencies: { "@types/node": "^24.0.0", typescript: "~5.9.3" },
  };
  return [
    { name: files.project, text: stringify({ name: project, runtime: "nodejs" }) },
    { name: files.configuration, text: stringify({ config: { [TARGETS_KEY]: targets } }), configuration: true },
    { name: targets, text: stringify({ zones: withWholePaths(zones, folder) }, { lineWidth: 0 }), targets: true },
    { name: "package.json", text: json(packageFile) },
    { name: "tsconfig.json", text: json(TSCONFIG) },
    { name: ".gitignore", text: "node_modules/\n.pulumi-ovn/\n" },
  ];
}

const json = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;

/** A name that npm takes; those of Pulumi's projects may have capitals and begin with a dot. */
function packageName(project: string): string {
  return project.toLowerCase().replace(/^[._]+/, "") || "imported";
}

/** Makes paths absolute: the project is in another folder than the import. Other values stay unchanged. */
function withWholePaths(zones: Zones, folder: string): Zones {
  const socket = (endpoints: string | undefined) => wholeSockets(endpoints, folder);
  const file = (path: string | undefined) => (path === undefined ? undefined : resolve(folder, path));
  return Object.fromEntries(
    Object.entries(zones).map(([name, zone]) => {
      const { northbound, southbound, openvswitch, tls } = zone;
      const whole = { ...zone, northbound: socket(northbound), southbound: socket(southbound), openvswitch: socket(openvswitch) };
      return [name, { ...whole, ...(tls && { tls: { ...tls, privateKey: file(tls.privateKey), certificate: file(tls.certificate), ca: file(tls.ca) } }) }];
    }),
  );
}

/** A list of endpoints, as the client takes it apart. */
function wholeSockets(endpoints: string | undefined, folder: string): string | undefined {
  return endpoints?.replace(/(^|,)\s*unix:([^,]+)/g, (_, before: string, path: string) => `${before}unix:${resolve(folder, path.trim())}`);
}
