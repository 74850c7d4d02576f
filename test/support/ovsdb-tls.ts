import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runProgram } from "./ovsdb-server";

const settings = (name: string) => `
[req]
distinguished_name = dn
prompt = no
x509_extensions = authority
[dn]
CN = ${name}
[authority]
basicConstraints = critical, CA:TRUE
[leaf]
basicConstraints = CA:FALSE
subjectAltName = DNS:${name}
`;

export interface Identity {
  readonly privateKey: string;
  readonly certificate: string;
}

/** A certificate authority in a folder, made by openssl. */
export class Authority {
  private constructor(
    private readonly folder: string,
    private readonly name: string,
  ) {}

  get certificate(): string {
    return join(this.folder, `${this.name}.crt`);
  }

  static async create(folder: string, name: string): Promise<Authority> {
    await writeFile(join(folder, `${name}.cnf`), settings(name));
    const files = ["-config", `${name}.cnf`, "-keyout", `${name}.key`];
    await runProgram("openssl", ["req", "-x509", ...KEY, ...files, "-out", `${name}.crt`, "-days", "2"], folder);
    return new Authority(folder, name);
  }

  async issue(name: string): Promise<Identity> {
    const { folder } = this;
    await writeFile(join(folder, `${name}.cnf`), settings(name));
    await runProgram("openssl", ["req", "-new", ...KEY, "-config", `${name}.cnf`, "-keyout", `${name}.key`, "-out", `${name}.csr`], folder);
    const signer = ["-CA", `${this.name}.crt`, "-CAkey", `${this.name}.key`, "-set_serial", `0x${randomBytes(8).toString("hex")}`];
    await runProgram(
      "openssl",
      ["x509", "-req", "-in", `${name}.csr`, ...signer, "-out", `${name}.crt`, "-days", "2", "-extfile", `${name}.cnf`, "-extensions", "leaf"],
      folder,
    );
    return { privateKey: join(folder, `${name}.key`), certificate: join(folder, `${name}.crt`) };
  }
}

const KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
