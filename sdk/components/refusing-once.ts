import { orRefuse } from "../program-error";

/** One error for one text: several parts may find the same wrong, and Pulumi reports each error that it has not seen. */
export function refusingOnce(what: string): <Made>(make: () => Made) => Made {
  const errors = new Map<string, unknown>();
  return (make) => {
    try {
      return orRefuse(what, make);
    } catch (error) {
      const text = String(error);
      if (!errors.has(text)) errors.set(text, error);
      throw errors.get(text);
    }
  };
}
