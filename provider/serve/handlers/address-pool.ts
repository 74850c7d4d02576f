import { addressPoolSchema, allocateAddresses, type PoolAddresses } from "../../kinds/topology/address-pool";
import { PoolHandler } from "./pool";

/** Addresses of a few subnets, one of each for every owner. */
export const addressPool = new PoolHandler({
  schema: addressPoolSchema,
  output: "addresses",
  id: "addresses",
  allocate: (spec, assigned: PoolAddresses) => allocateAddresses(spec, assigned),
});
