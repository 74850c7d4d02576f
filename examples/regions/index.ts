import * as pulumi from "@pulumi/pulumi";
import * as ovn from "pulumi-ovn";
import { allMembers, type Members, network } from "./members";

/**
 * One program, a stack for each region. Configuration of a stack:
 * members  nodes and workloads of this region
 * others   names of the other regions' stacks. Default: none, for the first update.
 */
const config = new pulumi.Config();
const own = config.requireObject<Members>("members");
const others = config.getObject<string[]>("others") ?? [];

export = async () => {
  const { nodes, workloads } = await allMembers(own, others);
  const zones = Object.entries(own.nodes).map(([name, { zone = name }]) => zone);
  const blue = new ovn.Layer2Network("blue", { ...network, nodes, workloads, zones });
  return { members: { network, ...own }, gateway: blue.gateway };
};
