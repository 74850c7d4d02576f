/** A reason against a change. */
export interface Complaint {
  /** The same for the same fault at another time. */
  readonly subject: string;
  readonly problem: string;
}

/** Something that must hold after a change. */
export interface Check {
  /** Subject of a complaint if the check itself fails. */
  readonly title: string;
  /**
   * @param milliseconds that the check may take
   * @param signal ends processes of the check
   */
  complaints(milliseconds: number, signal?: AbortSignal): Promise<readonly Complaint[]>;
}

export const textOf = ({ subject, problem }: Complaint): string => (problem === "" ? subject : `${subject}: ${problem}`);
