import { prove, type Scenario } from "@pulumi-ovn/sandbox";

export default { prove: ({ sandbox }) => prove(sandbox) } satisfies Scenario;
