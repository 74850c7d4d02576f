/** An error's message after its code. Messages of the system begin with their code. */
export const withCode = (code: string | null, message: string): string => (code === null || message.startsWith(`${code}: `) ? message : `${code}: ${message}`);
