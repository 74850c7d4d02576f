/** An error's message after its code. Messages of the system begin with their code. */
export const withCode = (code: string | null, message: string): string => (code === null || message.startsWith(`${code}: `) ? message : `${code}: ${message}`);

/** Code and message of an error. The code is null if the error has no text as its code. */
export function reportedError(error: unknown): { readonly code: string | null; readonly message: string } {
  const { code, message } = error as Error & { readonly code?: unknown };
  return { code: typeof code === "string" ? code : null, message };
}
