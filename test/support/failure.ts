import { inspect } from "node:util";
import type { OvsdbError } from "@pulumi-ovn/ovsdb-client";

/** The error that a promise is rejected with; one that is fulfilled fails the test, and says with what. */
export const failure = <E extends Error = OvsdbError>(promise: Promise<unknown>): Promise<E> =>
  promise.then(
    (value) => {
      throw new Error(`no error, but ${inspect(value)}`);
    },
    (error: E) => error,
  );
