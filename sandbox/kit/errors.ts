/** An error of the sandbox: what is wrong, and what to do about it. */
export class SandboxError extends Error {
  /**
   * @param code stable name of the cause, for programs: `not-linux`, `no-apt`, `no-namespaces`, ...
   * @param message what is wrong, in one sentence
   * @param remedy what the user can do about it; shown below the message
   */
  constructor(
    readonly code: string,
    message: string,
    readonly remedy?: string,
  ) {
    super(remedy === undefined ? message : `${message}\n  ${remedy.replaceAll("\n", "\n  ")}`);
    this.name = "SandboxError";
  }
}

/** How a user runs a command for the sandbox of this name, for remedies. */
export const commandFor = (command: string, name: string): string => `npm run -s sandbox -- ${command}${name === "default" ? "" : ` --name ${name}`}`;

/** The text of anything thrown. */
export const textOf = (error: unknown): string => (error as Error | undefined)?.message ?? String(error);

/** Whether a system call failed with this code (`ENOENT`, `EEXIST`, ...). */
export const isErrno = (error: unknown, code: string): boolean => (error as NodeJS.ErrnoException | undefined)?.code === code;
